/// Finds the end of each response in the stream of a connection's bytes.
///
/// NIOHTTP1's decoder reads the responses; this value watches where they begin and end, which the decoder does not
/// tell. So bytes beyond a response are found before the connection is used again: they could otherwise become the
/// beginning of the next, unrelated response. What both do not agree about is an error.
struct ResponseBoundary: Sendable {
    /// What to do with a number of bytes.
    enum Step: Hashable, Sendable {
        /// Pass them to the decoder.
        case pass(Int)
        /// Pass them to the decoder, which must then announce a head: ``frame(_:)`` has to be called meanwhile.
        case passEndOfHead(Int)
        /// Pass them to the decoder, which must then announce the end: ``end()`` has to be called meanwhile.
        case passEndOfMessage(Int)
    }

    private enum State {
        /// No response is due. Next: head.
        case idle
        /// Within a head. Next: framing.
        case head(LineScan, bytes: Int)
        /// The head has been passed on. Next: head (after a 1xx), body, untilClose, ended.
        case framing
        /// Within a body of known length. Next: ended.
        case body(Int64)
        /// Within a chunked body. Next: ended.
        case chunks(ChunkScan)
        /// Within a body that ends with the connection.
        case untilClose
        /// The last byte has been passed on. Next: idle.
        case ended
    }

    private let limit: Int
    private var state = State.idle

    /// Whether any byte of the response that is due has arrived.
    private(set) var hasBegun = false

    /// `limit` is the most bytes of a head, and of a trailer section.
    init(limit: Int) {
        self.limit = limit
    }

    /// A request is about to be sent: one response is due.
    mutating func expect() {
        state = .head(LineScan(), bytes: 0)
        hasBegun = false
    }

    /// The decoder has announced a final head with this framing.
    mutating func frame(_ framing: ResponseFraming) {
        guard case .framing = state else { return }
        switch framing {
        case .none, .length(0): state = .ended
        case .length(let length): state = .body(length)
        case .chunked: state = .chunks(ChunkScan(limit: limit))
        case .untilClose: state = .untilClose
        }
    }

    /// The decoder has announced an informational head: another head follows.
    mutating func frameInformational() {
        guard case .framing = state else { return }
        state = .head(LineScan(), bytes: 0)
    }

    /// The decoder has announced the end of the response. Returns whether that is where it has to be.
    mutating func end() -> Bool {
        switch state {
        case .ended, .untilClose:
            state = .idle
            return true
        case .idle, .head, .framing, .body, .chunks:
            return false
        }
    }

    /// Whether the decoder still owes the announcement that the last step called for.
    var awaitsDecoder: Bool {
        switch state {
        case .framing, .ended: true
        case .idle, .head, .body, .chunks, .untilClose: false
        }
    }

    /// Takes bytes (at least one) from the connection, and says how many may be passed on before asking again.
    mutating func take(_ bytes: some RandomAccessCollection<UInt8>) throws(TransportError) -> Step {
        switch state {
        case .idle:
            throw .malformed("The server sent bytes that no request had asked for.")
        case .framing, .ended:
            throw .malformed("The end of the response is where no response ends.")
        case .head(var scan, let before):
            if before == 0, bytes.first != UInt8(ascii: "H") {
                throw .malformed("The response does not begin with a status line.")
            }
            hasBegun = true
            let taken = scan.takeSection(bytes)
            guard before + taken.count <= limit else { throw Self.tooLarge }
            if taken.isComplete {
                state = .framing
                return .passEndOfHead(taken.count)
            }
            state = .head(scan, bytes: before + taken.count)
            return .pass(taken.count)
        case .body(let remaining):
            let count = Int(min(remaining, Int64(bytes.count)))
            if Int64(count) == remaining {
                state = .ended
                return .passEndOfMessage(count)
            }
            state = .body(remaining - Int64(count))
            return .pass(count)
        case .chunks(var scan):
            let taken = try scan.take(bytes)
            if taken.isComplete {
                state = .ended
                return .passEndOfMessage(taken.count)
            }
            state = .chunks(scan)
            return .pass(taken.count)
        case .untilClose:
            return .pass(bytes.count)
        }
    }

    static var tooLarge: TransportError {
        TransportError(
            .responseTooLarge, in: .awaitingResponse, "The head of the response is larger than the limit.")
    }
}
