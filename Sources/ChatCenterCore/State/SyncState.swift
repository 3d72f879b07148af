/// How the conversation here relates to the one on the server.
struct SyncState: Hashable, Sendable {
    /// A fetch of everything after the cursor, page by page.
    struct Gap: Hashable, Sendable {
        var call: CallID
        var cursor: String?
        var requested: Int
        var pages = 1
        /// A message's outcome became unknown after this fetch had begun: it proves nothing about that message.
        var isStale = false
    }

    enum Older: Hashable, Sendable {
        case idle
        case store(HistoryQuery)
        case server(CallID, requested: Int)
        case failed(TransportFailure)
    }

    /// The uuid of the message up to which the conversation here is without a hole.
    var cursor: String?
    /// Everything after the cursor is to be fetched.
    var isGapWanted = false
    var gap: Gap?
    var failures = 0
    /// A failed fetch is tried again then, on the monotonic clock.
    var retryAt: Int64?
    var older = Older.idle
    /// The server has nothing before the oldest message here.
    var isAtBeginning = false
    /// What the last history answer said.
    var allowedToSend = true
    var problem: TransportFailure?

    /// Messages for each page of a gap: few round trips after a long absence.
    static let gapPage = 200
    /// Pages in a row before other work gets its turn.
    static let gapPages = 50
}
