import ChatWire

/// The search on the screen.
struct ScreenSearch: Hashable, Sendable {
    /// Told apart from searches for other words before it.
    var number: UInt64
    var text: String
    /// The call begins then, on the monotonic clock: not for each letter.
    var startAt: Int64?
    /// An answer is awaited for this page.
    var awaitedPage: Int64?
    var nextPage: Int64 = 0
    var results: [ChatScreenMessage] = []
    var total = 0
    var hasMore = false
    /// The results are those of the store alone.
    var isLocal = false
    /// Why the server did not answer.
    var failure: TransportFailure?

    /// Milliseconds of silence before the words are looked for.
    static let pause: Int64 = 300
    /// More results are not held.
    static let longestList = 1000
}
