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
    var isConfirmed: Bool {
        switch self {
        case .sent, .delivered, .read: true
        case .queued, .sending, .unconfirmed, .failed: false
        }
    }

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
