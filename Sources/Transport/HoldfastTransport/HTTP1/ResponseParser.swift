import HTTPTypes
import NIOCore

/// Reads the responses of one connection from its bytes: one for each request, and nothing else.
///
/// Heads and trailer sections are read by ``HeadReader``.
struct ResponseParser: Hashable, Sendable {
    /// What was read.
    enum Event: Hashable, Sendable {
        /// An informational response (1xx), one of no more than the limit. Another head follows.
        case informational(ResponseHead)
        /// The head of the final response, and where its body ends.
        case head(ResponseHead, ResponseFraming)
        /// A part of the body.
        case body(ByteBuffer)
        /// The end of the response, with its trailer fields.
        case end(HTTPFields?)
    }

    private enum State: Hashable, Sendable {
        /// No response is due. Next: head.
        case idle
        /// Within a head. Next: head (after a 1xx), body, chunkLine, untilClose, ended.
        case head
        /// Within a body of known length. Next: ended.
        case body(Int64)
        /// Within the line before a chunk. Next: chunk, trailers.
        case chunkLine(ChunkLineScan)
        /// Within a chunk's data. Next: chunkLine.
        case chunk(Int64, ChunkLineScan)
        /// Within the trailer section. Next: idle.
        case trailers
        /// Within a body that ends with the connection. Next: idle.
        case untilClose
        /// The last byte has been read. Next: idle.
        case ended
    }

    private var state = State.idle
    private var method = HTTPRequest.Method.get
    private var allowsUpgrade = false
    private var heads: HeadReader
    private let maximumInformational: Int
    private var informational = 0

    /// Whether any byte of the response that is due has arrived.
    private(set) var hasBegun = false

    init(limits: TransportLimits) {
        self.heads = HeadReader(limits: limits)
        self.maximumInformational = limits.informationalResponses
    }

    /// A request with this method is about to be sent: one response is due. If the request allows an upgrade, a `101` of
    /// HTTP/1.1 is its final response, and what follows it is left in the buffer.
    mutating func expect(_ method: HTTPRequest.Method, allowsUpgrade: Bool = false) {
        self.method = method
        self.allowsUpgrade = allowsUpgrade
        state = .head
        informational = 0
        hasBegun = false
        heads.expectHead()
    }

    /// Reads from the connection's bytes. Returns `nil` when it needs more of them. Throws what makes the connection
    /// unusable; it must not be asked again then.
    mutating func next(_ buffer: inout ByteBuffer) throws(TransportError) -> Event? {
        while true {
            if case .ended = state {
                state = .idle
                return .end(nil)
            }
            guard buffer.readableBytes > 0 else { return nil }
            switch state {
            case .idle, .ended:
                throw .malformed(.unexpectedBytes, "The server sent bytes that no request had asked for.")
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

    /// The connection has ended, in order. Returns whether that is the end of the response.
    mutating func connectionEnded() -> Bool {
        guard case .untilClose = state else { return false }
        state = .idle
        return true
    }

    /// Nothing is read any more.
    mutating func giveUp() {
        state = .idle
        heads.expectHead()
    }

    private mutating func headEnded(_ head: ResponseHead) throws(TransportError) -> Event {
        if (100..<200).contains(head.status), head.status != 101 {
            guard !head.fields.contains(.contentLength), !head.fields.contains(.transferEncoding) else {
                throw .malformed(.informationalBody, "An informational response announces a body.")
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
