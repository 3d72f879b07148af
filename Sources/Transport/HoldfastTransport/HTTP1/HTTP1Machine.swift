/// The life cycle of an HTTP/1.1 connection: one exchange at a time, and whether another may follow.
struct HTTP1Machine: Sendable {
    private enum State {
        /// No exchange is in progress. Next: exchanging, closed.
        case idle
        /// A request is being sent, or its response received. Next: complete, closed.
        case exchanging(Exchanging)
        /// The response has ended, but its last read cycle has not. Next: idle, closed.
        case complete(reusable: Bool)
        /// Never used again.
        case closed
    }

    private struct Exchanging {
        var closesAfterwards: Bool
        var requestHasEnded = false
        var headHasArrived = false
    }

    /// The action after a failure.
    enum FailAction: Hashable, Sendable {
        /// Fail the exchange in this phase.
        case failExchange(TransportError.Phase)
        /// Complete the exchange, which received its whole response, and close.
        case completeExchange
        /// Close; no exchange is affected.
        case close
        /// Do nothing; the connection is already closed.
        case nothing
    }

    private var state = State.idle

    /// The number of exchanges that were started.
    private(set) var exchanges = 0

    /// Whether the connection is never used again.
    var isClosed: Bool {
        if case .closed = state { true } else { false }
    }

    /// The phase of the current exchange.
    var phase: TransportError.Phase {
        switch state {
        case .exchanging(let exchanging) where exchanging.headHasArrived: .receiving
        case .exchanging(let exchanging) where exchanging.requestHasEnded: .awaitingResponse
        case .exchanging: .sending
        case .complete: .receiving
        case .idle, .closed: .waiting
        }
    }

    /// Starts an exchange. Returns false if the connection cannot accept it.
    mutating func begin(closesAfterwards: Bool) -> Bool {
        guard case .idle = state else { return false }
        exchanges += 1
        state = .exchanging(Exchanging(closesAfterwards: closesAfterwards))
        return true
    }

    /// Records that the last byte of the request was written.
    mutating func requestEnded() {
        guard case .exchanging(var exchanging) = state else { return }
        exchanging.requestHasEnded = true
        state = .exchanging(exchanging)
    }

    /// Processes the final head. `closes`: whether the connection cannot be reused after this response.
    mutating func head(closes: Bool) {
        guard case .exchanging(var exchanging) = state else { return }
        exchanging.headHasArrived = true
        if closes { exchanging.closesAfterwards = true }
        state = .exchanging(exchanging)
    }

    /// Processes the end of the response. Returns false if no response was in progress.
    mutating func responseEnded() -> Bool {
        guard case .exchanging(let exchanging) = state, exchanging.headHasArrived else { return false }
        // A server that responds before it received the whole request may misinterpret the rest.
        state = .complete(reusable: exchanging.requestHasEnded && !exchanging.closesAfterwards)
        return true
    }

    /// Processes the end of the read cycle that contained the end of the response, when no bytes followed. Returns
    /// whether the connection can be reused; `nil` if no response has ended.
    mutating func readCycleEnded() -> Bool? {
        guard case .complete(let reusable) = state else { return nil }
        state = reusable ? .idle : .closed
        return reusable
    }

    /// Closes the connection after a failure or a cancellation.
    mutating func failed() -> FailAction {
        defer { state = .closed }
        switch state {
        case .idle: return .close
        case .exchanging: return .failExchange(phase)
        case .complete: return .completeExchange
        case .closed: return .nothing
        }
    }
}
