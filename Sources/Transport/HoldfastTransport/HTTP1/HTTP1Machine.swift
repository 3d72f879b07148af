/// The life of an HTTP/1.1 connection, as a value: one exchange at a time, and whether there may be another.
struct HTTP1Machine: Sendable {
    private enum State {
        /// Nothing under way. Next: exchanging, closed.
        case idle
        /// A request is being sent, a response received. Next: complete, closed.
        case exchanging(Exchanging)
        /// The response has ended; its last read cycle has not. Next: idle, closed.
        case complete(reusable: Bool)
        /// Never used again.
        case closed
    }

    private struct Exchanging {
        var closesAfterwards: Bool
        var requestHasEnded = false
        var headHasArrived = false
    }

    /// What to do after a failure.
    enum FailAction: Hashable, Sendable {
        /// Fail the exchange in this phase.
        case failExchange(TransportError.Phase)
        /// Complete the exchange, which had all it needed, and close.
        case completeExchange
        /// Nobody is concerned: close.
        case close
        /// It is closed already.
        case nothing
    }

    private var state = State.idle

    /// How many exchanges have begun.
    private(set) var exchanges = 0

    /// Whether the connection is never used again.
    var isClosed: Bool {
        if case .closed = state { true } else { false }
    }

    /// In which phase an exchange under way is.
    var phase: TransportError.Phase {
        switch state {
        case .exchanging(let exchanging) where exchanging.headHasArrived: .receiving
        case .exchanging(let exchanging) where exchanging.requestHasEnded: .awaitingResponse
        case .exchanging: .sending
        case .complete: .receiving
        case .idle, .closed: .waiting
        }
    }

    /// An exchange begins. Returns false if the connection cannot take it.
    mutating func begin(closesAfterwards: Bool) -> Bool {
        guard case .idle = state else { return false }
        exchanges += 1
        state = .exchanging(Exchanging(closesAfterwards: closesAfterwards))
        return true
    }

    /// The last byte of the request has been written.
    mutating func requestEnded() {
        guard case .exchanging(var exchanging) = state else { return }
        exchanging.requestHasEnded = true
        state = .exchanging(exchanging)
    }

    /// The final head has arrived. `closes`: the connection cannot carry another exchange after this response.
    mutating func head(closes: Bool) {
        guard case .exchanging(var exchanging) = state else { return }
        exchanging.headHasArrived = true
        if closes { exchanging.closesAfterwards = true }
        state = .exchanging(exchanging)
    }

    /// The response has ended. Returns false if none was under way.
    mutating func responseEnded() -> Bool {
        guard case .exchanging(let exchanging) = state, exchanging.headHasArrived else { return false }
        // A server that answers before it has the whole request will not read the rest as what it is.
        state = .complete(reusable: exchanging.requestHasEnded && !exchanging.closesAfterwards)
        return true
    }

    /// The read cycle that held the end of the response is over, and nothing came after it. Returns whether the
    /// connection can be used again; `nil` if no response has ended.
    mutating func readCycleEnded() -> Bool? {
        guard case .complete(let reusable) = state else { return nil }
        state = reusable ? .idle : .closed
        return reusable
    }

    /// The connection has failed, or is given up.
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
