/// The nine bytes before the payload of every frame (RFC 9113, 4.1).
struct FrameHeader: Hashable, Sendable {
    /// The types that are of interest here.
    enum Kind: UInt8, Hashable, Sendable {
        case data, headers, priority, resetStream, settings, pushPromise, ping, goAway, windowUpdate, continuation
    }

    static let size = 9

    var length: Int
    /// `nil` for a type that is not in RFC 9113.
    var kind: Kind?
    var flags: UInt8
    var stream: UInt32

    /// Whether the frame is an answer to one of this side's (SETTINGS, PING).
    var isAcknowledgement: Bool { flags & 0x1 != 0 && (kind == .settings || kind == .ping) }
    /// Whether nothing follows on the stream.
    var endsStream: Bool { flags & 0x1 != 0 && (kind == .data || kind == .headers) }

    /// Reads a header. `bytes` are nine.
    init(_ bytes: [UInt8]) {
        let number = { (range: Range<Int>) in bytes[range].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } }
        self.length = Int(number(0..<3))
        self.kind = Kind(rawValue: bytes[3])
        self.flags = bytes[4]
        self.stream = number(5..<9) & 0x7FFF_FFFF
    }
}
