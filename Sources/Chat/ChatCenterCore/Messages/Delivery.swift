/// How far one of the client's own messages came.
///
/// `queued` → `sending` → `sent` → `delivered` → `read`. A lost socket turns `sending` into `unconfirmed`, which the
/// history turns into `sent` or back into `queued`. `failed` is left by the user's wish, or when the history shows that
/// the message arrived after all.
package enum Delivery: Hashable, Sendable {
    /// Waits for its turn, its files or a connection. The deadline is set once a frame was handed to a socket, and
    /// stays: a message that was tried before does not gain time.
    case queued(OutboxEntry, deadline: Deadline?)
    /// Handed to a live socket, not answered yet.
    case sending(OutboxEntry, deadline: Deadline)
    /// The socket that it was handed to is gone, or it failed before and may have arrived all the same. Nothing is sent
    /// again before the history was asked.
    case unconfirmed(OutboxEntry, deadline: Deadline?)
    case sent
    case delivered
    case read
    /// `mayHaveArrived` when a frame of it was handed to a socket and no refusal came back.
    case failed(SendFailure, mayHaveArrived: Bool)

    /// The place in the queue of a message that is still in it.
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

    /// A frame of it was handed to a socket, now or earlier.
    var mayHaveArrived: Bool { deadline != nil || isLookUp }

    /// It failed before, and is looked up because the user wants it sent again.
    var isLookUp: Bool {
        if case .unconfirmed(_, nil) = self { true } else { false }
    }

    /// The server has the message.
    var isConfirmed: Bool {
        switch self {
        case .sent, .delivered, .read: true
        case .queued, .sending, .unconfirmed, .failed: false
        }
    }

    /// The rank among the confirmed states, for statuses that arrive in the wrong order; 0 for all others.
    var rank: Int {
        switch self {
        case .sent: 1
        case .delivered: 2
        case .read: 3
        case .queued, .sending, .unconfirmed, .failed: 0
        }
    }
}
