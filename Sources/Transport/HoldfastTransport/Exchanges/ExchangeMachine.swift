/// The life of one request and its response as the caller sees it, as a value.
struct ExchangeMachine: Sendable {
    /// Where the response's body goes.
    enum Sink: Hashable, Sendable {
        /// Into one array of at most so many bytes.
        case collect(limit: Int)
        /// Part by part to a reader. Reading from the socket pauses when so many bytes wait for it.
        case stream(highWater: Int)
        /// Nowhere: a redirect is followed. The connection can carry the next request if the body is small.
        case discard
    }

    /// The most bytes of a redirect's body that are read in order to keep its connection.
    private static let maximumDiscarded = 64 * 1024

    private enum State {
        /// Not begun. Next: every other state.
        case new
        /// Waiting for a connection, or for the head.
        case awaitingHead
        /// The head has been delivered.
        case receiving
        /// The body has arrived, all of it.
        case complete
        /// Failed; whoever asks gets the error.
        case failed
    }

    /// What to do with a part of the body.
    enum PartAction: Hashable, Sendable {
        /// Keep it, and go on reading.
        case keep
        /// Keep it, and stop reading for now.
        case keepAndPause
        /// There is more than the caller takes: fail.
        case failTooLarge
        /// Do not keep it, and go on reading.
        case skip
        /// All that the caller needs is there: complete, and close the connection.
        case completeEarly
        /// Nobody is interested any more.
        case drop
    }

    private(set) var sink: Sink
    private var state = State.new
    private var waiting = 0
    private var isPaused = false

    init(sink: Sink) {
        self.sink = sink
    }

    /// Whether the response is complete, or the exchange has failed.
    var isOver: Bool { state == .complete || state == .failed }

    /// Whether the head has not been delivered yet.
    var awaitsHead: Bool { state == .awaitingHead }

    /// The caller waits. Returns false if the exchange has failed already.
    mutating func begin() -> Bool {
        guard case .new = state else { return false }
        state = .awaitingHead
        return true
    }

    /// The head has arrived, with the length of the body where it is known. Returns what to do as for a part.
    ///
    /// - Parameter discards: Whether nobody wants the body.
    mutating func head(length: Int64?, discards: Bool = false) -> PartAction {
        guard case .awaitingHead = state else { return .drop }
        state = .receiving
        if discards {
            sink = .discard
            return (length ?? 0) > Int64(Self.maximumDiscarded) ? .completeEarly : .keep
        }
        if case .collect(let limit) = sink, let length, length > Int64(limit) { return .failTooLarge }
        return .keep
    }

    /// A part of the body has arrived.
    mutating func part(_ count: Int) -> PartAction {
        guard case .receiving = state else { return .drop }
        waiting += count
        switch sink {
        case .collect(let limit):
            return waiting > limit ? .failTooLarge : .keep
        case .discard:
            return waiting > Self.maximumDiscarded ? .completeEarly : .skip
        case .stream(let highWater):
            guard waiting > highWater, !isPaused else { return .keep }
            isPaused = true
            return .keepAndPause
        }
    }

    /// The reader has taken so many bytes. Returns whether reading has to be resumed.
    mutating func taken(_ count: Int) -> Bool {
        waiting -= count
        guard isPaused, case .stream(let highWater) = sink, waiting <= highWater / 2 else { return false }
        isPaused = false
        return true
    }

    /// The response has ended. Returns false if nobody is interested any more.
    mutating func end() -> Bool {
        guard case .receiving = state else { return false }
        state = .complete
        return true
    }

    /// The exchange has failed. Returns false if it was over already.
    mutating func fail() -> Bool {
        guard !isOver else { return false }
        state = .failed
        return true
    }
}
