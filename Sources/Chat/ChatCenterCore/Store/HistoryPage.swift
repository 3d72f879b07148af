/// A page of stored messages, in order.
package struct HistoryPage: Hashable, Sendable {
    package var messages: [StoredMessage]
    /// Whether the store has older messages.
    package var hasOlder: Bool

    package init(messages: [StoredMessage], hasOlder: Bool) {
        self.messages = messages
        self.hasOlder = hasOlder
    }
}
