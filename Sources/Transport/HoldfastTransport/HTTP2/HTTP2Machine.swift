/// The life cycle of an HTTP/2 connection: its number of streams, and whether more may be opened.
struct HTTP2Machine: Sendable {
    private enum State {
        /// Accepts streams. Next: every other state.
        case open
        /// Accepts no more streams; the existing ones continue. Next: closed.
        case draining
        /// Never used again.
        case closed
    }

    /// The action after a stream has ended.
    enum Ended: Hashable, Sendable {
        /// Ask the pool for the next exchange.
        case offer
        /// Continue with the other streams.
        case goOn
        /// Close the connection, because the last stream has ended.
        case close
    }

    private var state = State.open
    private let maximumRequests: UInt64
    private(set) var active = 0
    private(set) var begun: UInt64 = 0
    /// Whether a complete response was received, so that the connection is known to have worked.
    private(set) var hasCompleted = false
    /// The last stream that the server processed, according to its GOAWAY.
    private(set) var lastStream: UInt32?

    init(maximumRequests: UInt64 = HTTP2Limits.requestsPerConnection) {
        self.maximumRequests = max(1, maximumRequests)
    }

    var isClosed: Bool { state == .closed }

    /// Starts a stream. Returns false if no more streams are permitted.
    mutating func begin() -> Bool {
        guard case .open = state, begun < maximumRequests else { return false }
        active += 1
        begun += 1
        return true
    }

    /// Whether the last permitted stream was started.
    var isExhausted: Bool { begun >= maximumRequests }

    /// Processes the end of a stream, including a reset.
    mutating func ended(completed: Bool) -> Ended {
        active = max(0, active - 1)
        if completed { hasCompleted = true }
        switch state {
        case .open: return .offer
        case .draining: return active == 0 ? .close : .goOn
        case .closed: return .goOn
        }
    }

    /// Stops accepting streams. Returns false if this was already the case.
    mutating func drain() -> Bool {
        guard case .open = state else { return false }
        state = .draining
        return true
    }

    /// Processes the server's GOAWAY: no stream after `last` was processed.
    mutating func goAway(last: UInt32) {
        lastStream = min(last, lastStream ?? .max)
    }

    /// Returns whether the server has stated that it did not process this stream. A request without a stream number was
    /// not sent.
    func isUnseen(_ stream: UInt32?) -> Bool {
        guard let lastStream else { return false }
        return stream.map { $0 > lastStream } ?? true
    }

    /// Closes the connection. Returns false if it was already closed.
    mutating func failed() -> Bool {
        guard !isClosed else { return false }
        state = .closed
        return true
    }
}
