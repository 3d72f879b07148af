/// A frame of HTTP/2 as bytes, right or wrong (RFC 9113, 4.1).
public struct RawHTTP2Frame: Hashable, Sendable {
    /// The number of the type.
    public var kind: UInt8
    /// The flags.
    public var flags: UInt8
    /// The number of the stream.
    public var stream: UInt32
    /// What follows the header.
    public var payload: [UInt8]

    /// Makes a frame.
    public init(_ kind: UInt8, flags: UInt8 = 0, stream: UInt32 = 0, payload: [UInt8] = []) {
        self.kind = kind
        self.flags = flags
        self.stream = stream
        self.payload = payload
    }

    /// The header, and the payload.
    public var bytes: [UInt8] {
        let length = UInt32(payload.count)
        return [UInt8(length >> 16 & 0xFF), UInt8(length >> 8 & 0xFF), UInt8(length & 0xFF), kind, flags]
            + Self.bytes(stream) + payload
    }

    /// Whether it begins a head.
    public var isHead: Bool { kind == 1 }
    /// Whether it resets its stream.
    public var isReset: Bool { kind == 3 }
    /// Whether nothing follows on its stream.
    public var endsStream: Bool { kind <= 1 && flags & 1 != 0 }

    /// SETTINGS.
    public static func settings(_ values: [(UInt16, UInt32)] = []) -> RawHTTP2Frame {
        RawHTTP2Frame(4, payload: values.flatMap { [UInt8($0.0 >> 8), UInt8($0.0 & 0xFF)] + bytes($0.1) })
    }

    /// The answer to SETTINGS.
    public static let settingsAck = RawHTTP2Frame(4, flags: 1)

    /// HEADERS, complete.
    public static func head(_ stream: UInt32, _ fields: [(String, String)], ends: Bool = false) -> RawHTTP2Frame {
        RawHTTP2Frame(1, flags: 4 | (ends ? 1 : 0), stream: stream, payload: block(fields))
    }

    /// DATA.
    public static func data(_ stream: UInt32, _ bytes: [UInt8] = [], ends: Bool = false) -> RawHTTP2Frame {
        RawHTTP2Frame(0, flags: ends ? 1 : 0, stream: stream, payload: bytes)
    }

    /// RST_STREAM.
    public static func reset(_ stream: UInt32, _ code: UInt32) -> RawHTTP2Frame {
        RawHTTP2Frame(3, stream: stream, payload: bytes(code))
    }

    /// GOAWAY.
    public static func goAway(last: UInt32, _ code: UInt32 = 0) -> RawHTTP2Frame {
        RawHTTP2Frame(7, payload: bytes(last) + bytes(code))
    }

    /// PING.
    public static let ping = RawHTTP2Frame(6, payload: Array(repeating: 0, count: 8))

    /// WINDOW_UPDATE.
    public static func window(_ stream: UInt32, by increment: UInt32) -> RawHTTP2Frame {
        RawHTTP2Frame(8, stream: stream, payload: bytes(increment))
    }

    /// Fields in the coding of RFC 7541, none of them in a table.
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

/// Cuts what a client of HTTP/2 sends into frames, as a value.
public struct WireFrameReader: Sendable {
    private var waiting: [UInt8] = []
    private var preface = 24

    /// Expects the preface of a client first.
    public init() {}

    /// Takes bytes. Returns the frames that are complete.
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
