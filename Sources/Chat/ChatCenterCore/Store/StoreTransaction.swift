/// Changes that are made together or not at all.
package struct StoreTransaction: Hashable, Sendable {
    /// The client id of the user whose store it is.
    package var user: String
    /// In order.
    package var changes: [StoreChange]
    /// Set when it takes a message into the queue: a failure of this transaction is the answer to that call.
    package var ticket: Ticket?

    package init(user: String, changes: [StoreChange], ticket: Ticket? = nil) {
        self.user = user
        self.changes = changes
        self.ticket = ticket
    }
}
