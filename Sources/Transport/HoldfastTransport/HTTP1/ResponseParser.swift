import HTTPTypes
import NIOCore

/// Parses the responses of one connection: one per request. Any other bytes are an error.
///
/// ``HeadReader`` parses heads and trailer sections.
struct ResponseParser: Hashable, Sendable {
    /// A parsed element.
    enum Event: Hashable, Sendable {
        /// An informational response (1xx) within the limit. Another head follows.
        case informational(ResponseHead)
        /// The head of the final response, and the rule for the end of its body.
        case head(ResponseHead, ResponseFraming)
        /// A part of the body.
        case body(ByteBuffer)
        /// The end of the response, with its trailer fields.
        case end(HTTPFields?)
    }

    private enum State: Hashable, Sendable {
        /// No response is expected. Next: head.
        case idle
        /// In a head. Next: head (after a 1xx), body, chunkLine, untilClose, ended.
        case head
        /// In a body of known length. Next: ended.
        case body(Int64)
        /// In the line before a chunk. Next: chunk, trailers.
        case chunkLine(ChunkLineScan)
        /// In a chunk's data. Next: chunkLine.
        case chunk(Int64, ChunkLineScan)
        /// In the trailer section. Next: idle.
        case trailers
        /// In a body that ends with the connection. Next: idle.
        case untilClose
        /// The last byte was parsed. Next: idle.
        case ended
    }

    private var state = State.idle
    private var method = HTTPRequest.Method.get
    private var allowsUpgrade = false
    private var heads: HeadReader
    private let maximumInformational: Int
    private var informational = 0

    /// Whether any byte of the expected response has arrived.
    private(set) var hasBegun = false

    init(limits: TransportLimits) {
        self.heads = HeadReader(limits: limits)
        self.maximumInformational = limits.informationalResponses
    }

    /// Expects one response to a request with this method. If the request permits an upgrade, an HTTP/1.1 `101` is its
    /// final response, and the bytes after it stay in the buffer.
    mutating func expect(_ method: HTTPRequest.Method, allowsUpgrade: Bool = false) {
        self.method = method
        self.allowsUpgrade = allowsUpgrade
        state = .head
        informational = 0
        hasBegun = false
        heads.expectHead()
    }

    /// Parses bytes of the connection. Returns `nil` if it needs more bytes. After an error, the connection is
    /// unusable, and this method must not be called again.
    mutating func next(_ buffer: inout ByteBuffer) throws(TransportError) -> Event? {
        while true {
            if case .ended = state {
                state = .idle
                return .end(nil)
            }
            guard buffer.readableBytes > 0 else { return nil }
            switch state {
            case .idle, .ended:
                throw .malformed(.unexpectedBytes, "The server sent bytes that do not belong to a response.")
            case .head:
                hasBegun = true
                guard let head = try heads.head(&buffer) else { return nil }
                return try headEnded(head)
            case .body(let remaining):
                let part = Self.part(remaining, &buffer)
                let left = remaining - Int64(part.readableBytes)
                state = left > 0 ? .body(left) : .ended
                return .body(part)
            case .chunkLine(var scan):
                let taken = try buffer.withUnsafeReadableBytes { bytes throws(TransportError) in try scan.take(bytes) }
                buffer.moveReaderIndex(forwardBy: taken.count)
                switch taken.size {
                case nil: state = .chunkLine(scan)
                case 0?:
                    state = .trailers
                    heads.expectTrailers()
                case let size?: state = .chunk(size, scan)
                }
            case .chunk(let remaining, var scan):
                let part = Self.part(remaining, &buffer)
                let left = remaining - Int64(part.readableBytes)
                if left == 0 { scan.dataEnded() }
                state = left > 0 ? .chunk(left, scan) : .chunkLine(scan)
                return .body(part)
            case .trailers:
                guard let fields = try heads.trailers(&buffer) else { return nil }
                state = .idle
                return .end(fields.isEmpty ? nil : fields)
            case .untilClose:
                return .body(Self.part(.max, &buffer))
            }
        }
    }

    /// Processes an orderly end of the connection. Returns whether it ends the response.
    mutating func connectionEnded() -> Bool {
        guard case .untilClose = state else { return false }
        state = .idle
        return true
    }

    /// Stops parsing.
    mutating func giveUp() {
        state = .idle
        heads.expectHead()
    }

    private mutating func headEnded(_ head: ResponseHead) throws(TransportError) -> Event {
        if (100..<200).contains(head.status), head.status != 101 {
            guard !head.fields.contains(.contentLength), !head.fields.contains(.transferEncoding) else {
                throw .malformed(.informationalBody, "An informational response announced a body.")
            }
            informational += 1
            guard informational <= maximumInformational else { throw .tooManyInformational(maximumInformational) }
            return .informational(head)
        }
        if allowsUpgrade, head.status == 101, !head.isOldVersion {
            state = .idle
            return .head(head, .none)
        }
        let framing = try ResponseFraming(head, to: method)
        switch framing {
        case .none, .length(0): state = .ended
        case .length(let length): state = .body(length)
        case .chunked: state = .chunkLine(ChunkLineScan())
        case .untilClose: state = .untilClose
        }
        return .head(head, framing)
    }

    private static func part(_ remaining: Int64, _ buffer: inout ByteBuffer) -> ByteBuffer {
        let count = Int(min(remaining, Int64(buffer.readableBytes)))
        return buffer.readSlice(length: count) ?? ByteBuffer()
    }
}
