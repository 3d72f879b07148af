/// An HTTP/2 frame as raw bytes, valid or invalid (RFC 9113, section 4.1).
public struct RawHTTP2Frame: Hashable, Sendable {
    /// The frame type.
    public var kind: UInt8
    /// The flags.
    public var flags: UInt8
    /// The stream identifier.
    public var stream: UInt32
    /// The bytes after the frame header.
    public var payload: [UInt8]

    /// Creates a frame.
    public init(_ kind: UInt8, flags: UInt8 = 0, stream: UInt32 = 0, payload: [UInt8] = []) {
        self.kind = kind
        self.flags = flags
        self.stream = stream
        self.payload = payload
    }

    /// The encoded frame: the header and the payload.
    public var bytes: [UInt8] {
        let length = UInt32(payload.count)
        return [UInt8(length >> 16 & 0xFF), UInt8(length >> 8 & 0xFF), UInt8(length & 0xFF), kind, flags]
            + Self.bytes(stream) + payload
    }

    /// Whether this is a HEADERS frame.
    public var isHead: Bool { kind == 1 }
    /// Whether this is an RST_STREAM frame.
    public var isReset: Bool { kind == 3 }
    /// Whether this frame ends its stream.
    public var endsStream: Bool { kind <= 1 && flags & 1 != 0 }

    /// Returns a SETTINGS frame.
    public static func settings(_ values: [(UInt16, UInt32)] = []) -> RawHTTP2Frame {
        RawHTTP2Frame(4, payload: values.flatMap { [UInt8($0.0 >> 8), UInt8($0.0 & 0xFF)] + bytes($0.1) })
    }

    /// A SETTINGS frame with the ACK flag.
    public static let settingsAck = RawHTTP2Frame(4, flags: 1)

    /// Returns a HEADERS frame with END_HEADERS.
    public static func head(_ stream: UInt32, _ fields: [(String, String)], ends: Bool = false) -> RawHTTP2Frame {
        RawHTTP2Frame(1, flags: 4 | (ends ? 1 : 0), stream: stream, payload: block(fields))
    }

    /// Returns a DATA frame.
    public static func data(_ stream: UInt32, _ bytes: [UInt8] = [], ends: Bool = false) -> RawHTTP2Frame {
        RawHTTP2Frame(0, flags: ends ? 1 : 0, stream: stream, payload: bytes)
    }

    /// Returns an RST_STREAM frame.
    public static func reset(_ stream: UInt32, _ code: UInt32) -> RawHTTP2Frame {
        RawHTTP2Frame(3, stream: stream, payload: bytes(code))
    }

    /// Returns a GOAWAY frame.
    public static func goAway(last: UInt32, _ code: UInt32 = 0) -> RawHTTP2Frame {
        RawHTTP2Frame(7, payload: bytes(last) + bytes(code))
    }

    /// A PING frame.
    public static let ping = RawHTTP2Frame(6, payload: Array(repeating: 0, count: 8))

    /// Returns a WINDOW_UPDATE frame.
    public static func window(_ stream: UInt32, by increment: UInt32) -> RawHTTP2Frame {
        RawHTTP2Frame(8, stream: stream, payload: bytes(increment))
    }

    /// Returns a field block (RFC 7541) whose fields are all literals, without use of a table.
    public static func block(_ fields: [(String, String)]) -> [UInt8] {
        fields.flatMap { [0] + string($0.0) + string($0.1) }
    }

    private static func string(_ text: String) -> [UInt8] {
        let bytes = Array(text.utf8)
        guard bytes.count >= 127 else { return [UInt8(bytes.count)] + bytes }
        var length = bytes.count - 127
        var head: [UInt8] = [127]
        while length >= 128 {
            head.append(UInt8(length & 127) | 128)
            length >>= 7
        }
        return head + [UInt8(length)] + bytes
    }

    private static func bytes(_ number: UInt32) -> [UInt8] {
        [UInt8(number >> 24), UInt8(number >> 16 & 0xFF), UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF)]
    }
}

/// A parser that splits the bytes of an HTTP/2 client into frames.
public struct WireFrameReader: Sendable {
    private var waiting: [UInt8] = []
    private var preface = 24

    /// Creates a reader that expects the client's connection preface first.
    public init() {}

    /// Takes received bytes. Returns the complete frames.
    public mutating func take(_ bytes: [UInt8]) -> [RawHTTP2Frame] {
        waiting += bytes
        if preface > 0 {
            let skipped = min(preface, waiting.count)
            waiting.removeFirst(skipped)
            preface -= skipped
        }
        var frames: [RawHTTP2Frame] = []
        while preface == 0, waiting.count >= 9 {
            let length = waiting[..<3].reduce(0) { $0 << 8 | Int($1) }
            guard waiting.count >= 9 + length else { break }
            let stream = waiting[5..<9].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            frames.append(
                RawHTTP2Frame(
                    waiting[3], flags: waiting[4], stream: stream & 0x7FFF_FFFF,
                    payload: Array(waiting[9..<(9 + length)])))
            waiting.removeFirst(9 + length)
        }
        return frames
    }
}
