/// The place of a message that has not been answered yet in the queue.
package struct OutboxEntry: Hashable, Sendable {
    /// The order in which messages were committed.
    package var sequence: Int64
    /// When the message has waited for a connection for too long.
    package var expires: Deadline

    package init(sequence: Int64, expires: Deadline) {
        self.sequence = sequence
        self.expires = expires
    }
}
