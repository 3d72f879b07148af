import ChatWire

/// How the conversation here relates to the one on the server.
struct SyncState: Hashable, Sendable {
    /// A fetch of everything that was missed, page by page.
    struct Gap: Hashable, Sendable {
        /// Which way the pages go.
        enum Direction: Hashable, Sendable {
            /// From the cursor to the newest message.
            case forward
            /// From the newest message back. Pages are held until the last one is here: half of them in the store would
            /// look as if there were no hole.
            case backward(Limit, held: [Content])
        }

        /// How far back the pages go.
        enum Limit: Hashable, Sendable {
            /// One page: nothing was known before.
            case onePage
            /// To the beginning of the conversation: it was empty when it was fetched last.
            case beginning
            /// To this time: the server does not know the cursor any more.
            case time(Int64)
        }

        var call: CallID
        var direction: Direction
        var requested: Int
        var pages = 1
        /// A message's outcome became unknown after this fetch had begun: it proves nothing about that message.
        var isStale = false
    }

    /// What a backward fetch has still to bring after `gapPages`.
    struct Rest: Hashable, Sendable {
        /// It goes on before the message of this uuid.
        var before: String
        var limit: Gap.Limit
        /// The newest message of the first part: the cursor, once the rest is here. Till then a restart begins anew,
        /// so that the hole is never taken for closed.
        var cursor: String?
    }

    enum Older: Hashable, Sendable {
        case idle
        case store(HistoryQuery)
        case server(CallID, requested: Int)
        case failed(TransportFailure)
    }

    /// The uuid of the message up to which the conversation here is without a hole; empty when it was empty, `nil`
    /// when it was never fetched.
    var cursor: String?
    /// The time of the message since which the conversation here is without a hole; `nil` when it was never fetched.
    var wholeSince: Int64?
    /// A message of this time is here that lies before a hole: the history is to be fetched back to it.
    var fillTo: Int64?
    /// The server does not know the message that the cursor names.
    var isCursorForgotten = false
    /// Everything that was missed is to be fetched.
    var isGapWanted = false
    var gap: Gap?
    var rest: Rest?
    var failures = 0
    /// How often in a row a fetch came to `gapPages` without an end.
    var pauses = 0
    /// Messages that the fetch has brought so far.
    var filled: Int64 = 0
    /// A failed fetch is tried again then, on the monotonic clock.
    var retryAt: Int64?
    var older = Older.idle
    /// The server has nothing before the oldest message here.
    var isAtBeginning = false
    /// What the last history answer said.
    var allowedToSend = true
    var problem: TransportFailure?
    /// The history was asked for since the user was authorized, with an answer.
    var hasHistory = false

    /// Whether more may follow a page. A server may give less than it was asked for, but not less than the documented
    /// page of 30 if there is more.
    static func mayHaveMore(_ count: Int, of requested: Int) -> Bool {
        count >= min(requested, LocalConfiguration.standard.historyLoadingCount)
    }

    /// Pages in a row before other work gets its turn.
    static let gapPages = 50
    /// Milliseconds after so many pages in a row, twice as long each time that more follow: a server of which the history
    /// never ends does not keep the device busy.
    static let gapPause: Int64 = 500
}
