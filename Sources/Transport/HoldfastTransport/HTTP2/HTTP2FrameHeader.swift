import NIOCore

/// The nine-byte header of a frame (RFC 9113, 4.1).
struct HTTP2FrameHeader: Hashable, Sendable {
    /// The frame types of RFC 9113.
    enum Kind: UInt8, Hashable, Sendable {
        case data, headers, priority, resetStream, settings, pushPromise, ping, goAway, windowUpdate, continuation
    }

    static let size = 9

    var length: Int
    /// The type of the frame; `nil` for a type that RFC 9113 does not define.
    var kind: Kind?
    var flags: UInt8
    var stream: UInt32

    /// Whether the frame is the last one on its stream.
    var endsStream: Bool { flags & 0x1 != 0 && (kind == .data || kind == .headers) }

    /// Parses a header. Returns `nil` if fewer than nine bytes follow `index`.
    init?(_ buffer: ByteBuffer, at index: Int) {
        guard let first = buffer.getInteger(at: index, as: UInt32.self),
            let flags = buffer.getInteger(at: index + 4, as: UInt8.self),
            let stream = buffer.getInteger(at: index + 5, as: UInt32.self)
        else { return nil }
        self.length = Int(first >> 8)
        self.kind = Kind(rawValue: UInt8(truncatingIfNeeded: first))
        self.flags = flags
        self.stream = stream & 0x7FFF_FFFF
    }
}
