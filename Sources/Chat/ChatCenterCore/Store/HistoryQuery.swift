/// Which messages of the store are asked for.
package struct HistoryQuery: Hashable, Sendable {
    /// The messages right before this place; the newest when `nil`.
    package var before: MessagePosition?
    package var count: Int

    package init(before: MessagePosition?, count: Int) {
        self.before = before
        self.count = count
    }
}
