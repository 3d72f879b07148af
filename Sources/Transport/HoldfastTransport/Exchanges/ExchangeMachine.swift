/// The life cycle of one request and its response as the caller sees it.
struct ExchangeMachine: Sendable {
    /// The destination of the response body.
    enum Sink: Hashable, Sendable {
        /// One array with at most this number of bytes.
        case collect(limit: Int)
        /// A reader of parts. Reading from the socket pauses when this number of bytes waits for it.
        case stream(highWater: Int)
        /// None, because a redirect is followed. The connection can carry the next request if the body is small.
        case discard
    }

    /// The maximum number of bytes of a redirect's body that are read to keep its connection. If the body is longer,
    /// the rest is not read.
    private static let maximumDiscarded = 64 * 1024

    private enum State {
        /// Not started. Next: every other state.
        case new
        /// Waiting for a connection or for the head.
        case awaitingHead
        /// The head was delivered.
        case receiving
        /// The body is complete.
        case complete
        /// Failed; all callers receive the error.
        case failed
    }

    /// The action for a part of the body.
    enum PartAction: Hashable, Sendable {
        /// Store it and continue reading.
        case keep
        /// Store it and pause reading.
        case keepAndPause
        /// The body exceeds the caller's limit: fail.
        case failTooLarge
        /// Discard it and continue reading.
        case skip
        /// The caller needs no more data: complete, and close the connection.
        case completeEarly
        /// Discard it: the exchange is over.
        case drop
    }

    private(set) var sink: Sink
    private var state = State.new
    private var waiting = 0
    private var isPaused = false

    init(sink: Sink) {
        self.sink = sink
    }

    /// Whether the response is complete, or the exchange failed.
    var isOver: Bool { state == .complete || state == .failed }

    /// Whether the head has not been delivered yet.
    var awaitsHead: Bool { state == .awaitingHead }

    /// Starts the exchange. Returns false if it has already failed.
    mutating func begin() -> Bool {
        guard case .new = state else { return false }
        state = .awaitingHead
        return true
    }

    /// Processes the head. `length` is the length of the body, if known. Returns the action as for a part.
    ///
    /// - Parameter discards: Whether the body is not needed.
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

    /// Processes a part of the body.
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

    /// Records bytes that the reader consumed. Returns whether to resume reading.
    mutating func taken(_ count: Int) -> Bool {
        waiting -= count
        guard isPaused, case .stream(let highWater) = sink, waiting <= highWater / 2 else { return false }
        isPaused = false
        return true
    }

    /// Processes the end of the response. Returns false if the exchange is over.
    mutating func end() -> Bool {
        guard case .receiving = state else { return false }
        state = .complete
        return true
    }

    /// Records a failure. Returns false if the exchange was already over.
    mutating func fail() -> Bool {
        guard !isOver else { return false }
        state = .failed
        return true
    }
}

/// The parts of a streamed body that wait for the reader.
struct WaitingParts: Sendable {
    /// The size below which parts are merged, because an array needs more memory than a small chunk.
    private static let smallPart = 4 * 1024

    private var parts: [[UInt8]] = []

    /// Whether no part waits.
    var isEmpty: Bool { parts.isEmpty }

    /// The number of waiting arrays.
    var count: Int { parts.count }

    /// Stores a part until it is read.
    mutating func keep(_ part: [UInt8]) {
        if let last = parts.indices.last, parts[last].count < Self.smallPart {
            parts[last] += part
        } else {
            parts.append(part)
        }
    }

    /// Removes and returns all waiting parts as one.
    mutating func takeAll() -> [UInt8] {
        defer { parts.removeAll(keepingCapacity: true) }
        return parts.count == 1 ? parts[0] : Array(parts.joined())
    }
}
