/// The life of an HTTP/2 connection, as a value: how many streams there are, and whether there may be more.
struct HTTP2Machine: Sendable {
    private enum State {
        /// Takes streams. Next: every other state.
        case open
        /// Takes no more streams; those that there are go on. Next: closed.
        case draining
        /// Never used again.
        case closed
    }

    /// What to do when a stream has ended.
    enum Ended: Hashable, Sendable {
        /// Ask the pool for the next exchange.
        case offer
        /// Go on with the other streams.
        case goOn
        /// The last stream has gone: close.
        case close
    }

    private var state = State.open
    private let maximumRequests: UInt64
    private(set) var active = 0
    private(set) var begun: UInt64 = 0
    /// Whether a response has been received in whole: the connection was usable once.
    private(set) var hasCompleted = false
    /// The last stream that the server has said to have looked at, once it ends the connection.
    private(set) var lastStream: UInt32?

    init(maximumRequests: UInt64 = HTTP2Limits.requestsPerConnection) {
        self.maximumRequests = max(1, maximumRequests)
    }

    var isClosed: Bool { state == .closed }

    /// A stream begins. Returns false if there may be no more.
    mutating func begin() -> Bool {
        guard case .open = state, begun < maximumRequests else { return false }
        active += 1
        begun += 1
        return true
    }

    /// Whether the last stream that this connection takes has begun.
    var isExhausted: Bool { begun >= maximumRequests }

    /// A stream has ended, by itself or by a reset.
    mutating func ended(completed: Bool) -> Ended {
        active = max(0, active - 1)
        if completed { hasCompleted = true }
        switch state {
        case .open: return .offer
        case .draining: return active == 0 ? .close : .goOn
        case .closed: return .goOn
        }
    }

    /// No more streams are taken. Returns false if that is known already.
    mutating func drain() -> Bool {
        guard case .open = state else { return false }
        state = .draining
        return true
    }

    /// The server ends the connection, and has looked at no stream beyond `last`.
    mutating func goAway(last: UInt32) {
        lastStream = min(last, lastStream ?? .max)
    }

    /// Whether the server has said that it has not looked at this stream. A request that has none yet was not sent.
    func isUnseen(_ stream: UInt32?) -> Bool {
        guard let lastStream else { return false }
        return stream.map { $0 > lastStream } ?? true
    }

    /// The connection has ended, or is given up. Returns false if that is known already.
    mutating func failed() -> Bool {
        guard !isClosed else { return false }
        state = .closed
        return true
    }
}
