/// The queue entry of a message that has no answer yet.
package struct OutboxEntry: Hashable, Sendable {
    /// The sequence number in the order in which messages were committed.
    package var sequence: Int64
    /// The time after which the message no longer waits for a connection.
    package var expires: Deadline

    /// The earliest time to send the message, and for a wait to count. Used to delay the result of a survey.
    package var notBefore: Deadline?
    /// The number of times that the message was written to a socket and then was missing in the history.
    package var losses: Int

    package init(sequence: Int64, expires: Deadline, notBefore: Deadline? = nil, losses: Int = 0) {
        self.sequence = sequence
        self.expires = expires
        self.notBefore = notBefore
        self.losses = losses
    }
}
