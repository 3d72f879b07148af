/// Messages of the store in order.
package struct HistoryPage: Hashable, Sendable {
    package var messages: [StoredMessage]
    /// There are older ones.
    package var hasOlder: Bool

    package init(messages: [StoredMessage], hasOlder: Bool) {
        self.messages = messages
        self.hasOlder = hasOlder
    }
}
