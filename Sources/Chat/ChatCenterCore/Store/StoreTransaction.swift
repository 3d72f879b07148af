/// Changes that are applied together or not at all.
package struct StoreTransaction: Hashable, Sendable {
    /// The client id of the user who owns the store.
    package var user: String
    /// The changes, in order.
    package var changes: [StoreChange]
    /// The ticket of the `send` call that this transaction queues a message for. A failure of the transaction is the
    /// answer to that call.
    package var ticket: Ticket?

    package init(user: String, changes: [StoreChange], ticket: Ticket? = nil) {
        self.user = user
        self.changes = changes
        self.ticket = ticket
    }
}
