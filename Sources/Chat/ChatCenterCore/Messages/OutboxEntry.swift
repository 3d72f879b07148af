/// The place of a message that has not been answered yet in the queue.
package struct OutboxEntry: Hashable, Sendable {
    /// The order in which messages were committed.
    package var sequence: Int64
    /// When the message has waited for a connection for too long.
    package var expires: Deadline

    /// It does not go out before; nobody waits for it until then. The result of a survey can be held back so.
    package var notBefore: Deadline?
    /// How often it was handed to a socket and then was not in the history.
    package var losses: Int

    package init(sequence: Int64, expires: Deadline, notBefore: Deadline? = nil, losses: Int = 0) {
        self.sequence = sequence
        self.expires = expires
        self.notBefore = notBefore
        self.losses = losses
    }
}
