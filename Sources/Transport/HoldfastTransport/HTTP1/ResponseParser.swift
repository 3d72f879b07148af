import HTTPTypes
import NIOCore

/// Reads the responses of one connection from its bytes: one for each request, and nothing else.
///
/// It takes the place of NIOHTTP1's decoder, which lets pass what two readers can read in two ways, and which does not
/// tell where in the stream a response ends.
struct ResponseParser: Hashable, Sendable {
    /// What was read.
    enum Event: Hashable, Sendable {
        /// An informational response (1xx). Another head follows.
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
        case head(SectionScan)
        /// Within a body of known length. Next: ended.
        case body(Int64)
        /// Within the line before a chunk. Next: chunk, trailers.
        case chunkLine(ChunkLineScan)
        /// Within a chunk's data. Next: chunkLine.
        case chunk(Int64, ChunkLineScan)
        /// Within the trailer section. Next: idle.
        case trailers(SectionScan)
        /// Within a body that ends with the connection. Next: idle.
        case untilClose
        /// The last byte has been read. Next: idle.
        case ended
    }

    private let limits: TransportLimits
    private var state = State.idle
    private var method = HTTPRequest.Method.get
    /// The beginning of a head or a trailer section whose end has not arrived.
    private var pending = ByteBuffer()

    /// Whether any byte of the response that is due has arrived.
    private(set) var hasBegun = false

    init(limits: TransportLimits) {
        self.limits = limits
    }

    /// A request with this method is about to be sent: one response is due.
    mutating func expect(_ method: HTTPRequest.Method) {
        self.method = method
        state = .head(.head(limits))
        hasBegun = false
        pending.clear()
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
            case .head(var scan):
                hasBegun = true
                guard let bytes = try section(&scan, &buffer) else {
                    state = .head(scan)
                    return nil
                }
                return try headEnded(bytes)
            case .body(let remaining):
                let part = Self.part(remaining, &buffer)
                let left = remaining - Int64(part.readableBytes)
                state = left > 0 ? .body(left) : .ended
                return .body(part)
            case .chunkLine(var scan):
                let taken = try buffer.withReadableBytes { bytes throws(TransportError) in try scan.take(bytes) }
                buffer.moveReaderIndex(forwardBy: taken.count)
                switch taken.size {
                case nil: state = .chunkLine(scan)
                case 0?: state = .trailers(.trailers(limits))
                case let size?: state = .chunk(size, scan)
                }
            case .chunk(let remaining, var scan):
                let part = Self.part(remaining, &buffer)
                let left = remaining - Int64(part.readableBytes)
                if left == 0 { scan.dataEnded() }
                state = left > 0 ? .chunk(left, scan) : .chunkLine(scan)
                return .body(part)
            case .trailers(var scan):
                guard let bytes = try section(&scan, &buffer) else {
                    state = .trailers(scan)
                    return nil
                }
                state = .idle
                return .end(try Self.trailers(bytes))
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
        pending.clear()
    }

    private mutating func headEnded(_ bytes: ByteBuffer) throws(TransportError) -> Event {
        let head = try ResponseHead(scanned: bytes)
        if (100..<200).contains(head.status), head.status != 101 {
            guard !head.fields.contains(.contentLength), !head.fields.contains(.transferEncoding) else {
                throw .malformed(.informationalBody, "An informational response announces a body.")
            }
            state = .head(.head(limits))
            return .informational(head)
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

    /// Takes bytes up to the end of a section. Returns all of the section's bytes when they have come.
    private mutating func section(
        _ scan: inout SectionScan, _ buffer: inout ByteBuffer
    ) throws(TransportError) -> ByteBuffer? {
        let taken = try buffer.withReadableBytes { bytes throws(TransportError) in try scan.take(bytes) }
        guard var bytes = buffer.readSlice(length: taken.count) else { return nil }
        if taken.isComplete, pending.readableBytes == 0 { return bytes }
        pending.writeBuffer(&bytes)
        guard taken.isComplete else { return nil }
        defer { pending.clear() }
        return pending
    }

    private static func part(_ remaining: Int64, _ buffer: inout ByteBuffer) -> ByteBuffer {
        let count = Int(min(remaining, Int64(buffer.readableBytes)))
        return buffer.readSlice(length: count) ?? ByteBuffer()
    }

    private static func trailers(_ bytes: ByteBuffer) throws(TransportError) -> HTTPFields? {
        let fields = try bytes.withReadableBytes { bytes throws(TransportError) in
            try HTTPFields(scanned: bytes[...])
        }
        guard !fields.contains(.contentLength), !fields.contains(.transferEncoding) else {
            throw .malformed(.trailerField, "A trailer field is one of those that frame a response.")
        }
        return fields.isEmpty ? nil : fields
    }
}
