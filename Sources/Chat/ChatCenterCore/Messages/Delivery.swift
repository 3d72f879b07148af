/// The delivery state of one of the client's own messages.
///
/// `queued` → `sending` → `sent` → `delivered` → `read`. A lost socket turns `sending` into `unconfirmed`. The
/// history then decides between `sent` and `queued`. A `failed` message changes only if the user requests it, or if
/// the history shows that the message arrived.
package enum Delivery: Hashable, Sendable {
    /// The message waits for its turn, its files or a connection. The deadline is set when a frame is written to a
    /// socket for the first time. Later attempts keep that deadline.
    case queued(OutboxEntry, deadline: Deadline?)
    /// The message was written to a live socket and has no answer yet.
    case sending(OutboxEntry, deadline: Deadline)
    /// The outcome is unknown: the socket that the message was written to was lost, or the message failed earlier and
    /// may have arrived. The message is sent again only after the history was checked.
    case unconfirmed(OutboxEntry, deadline: Deadline?)
    case sent
    case delivered
    case read
    /// The message failed. `mayHaveArrived` is true if one of its frames was written to a socket and no refusal was
    /// received.
    case failed(SendFailure, mayHaveArrived: Bool)

    /// The message's entry in the queue, if it is still queued.
    package var entry: OutboxEntry? {
        switch self {
        case .queued(let entry, _), .sending(let entry, _), .unconfirmed(let entry, _): entry
        case .sent, .delivered, .read, .failed: nil
        }
    }

    var deadline: Deadline? {
        switch self {
        case .queued(_, let deadline), .unconfirmed(_, let deadline): deadline
        case .sending(_, let deadline): deadline
        case .sent, .delivered, .read, .failed: nil
        }
    }

    /// Whether a frame of the message was written to a socket, now or earlier.
    var mayHaveArrived: Bool { deadline != nil || isLookUp }

    /// Whether the message failed earlier and is now checked in the history, because the user wants to send it again.
    var isLookUp: Bool {
        if case .unconfirmed(_, nil) = self { true } else { false }
    }

    /// Whether the server has the message.
    var isConfirmed: Bool { rank > 0 }

    /// The rank among the confirmed states, for statuses that arrive out of order; 0 for all other states.
    var rank: Int {
        switch self {
        case .sent: 1
        case .delivered: 2
        case .read: 3
        case .queued, .sending, .unconfirmed, .failed: 0
        }
    }
}

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

/// The reason why a queued message failed. It is sent again only if the user requests it.
///
/// - Remedy: Offer the user to send the message again.
public enum SendFailure: Error, Hashable, Sendable {
    /// The server refused the message.
    case refused(ServerRefusal)
    /// The server did not answer within `sendTimeout`. The message may still have arrived; if the history contains it,
    /// its state changes to sent.
    case timedOut
    /// The message was written to a socket as often as the server's `messageRetryCount` allows, and never arrived.
    case lost(tries: Int)
    /// The message waited for a connection longer than a queued message may.
    case expired
    /// A file of the message could not be uploaded.
    case upload(TransportFailure)
}
