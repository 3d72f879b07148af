/// A query for stored messages.
package struct HistoryQuery: Hashable, Sendable {
    /// The position before which the messages end; `nil` for the newest messages.
    package var before: MessagePosition?
    package var count: Int

    package init(before: MessagePosition?, count: Int) {
        self.before = before
        self.count = count
    }
}
