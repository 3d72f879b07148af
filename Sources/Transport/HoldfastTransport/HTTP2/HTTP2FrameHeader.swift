import NIOCore

/// The nine bytes before the payload of every frame (RFC 9113, 4.1).
struct HTTP2FrameHeader: Hashable, Sendable {
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

    /// Whether nothing follows on the stream.
    var endsStream: Bool { flags & 0x1 != 0 && (kind == .data || kind == .headers) }

    /// Reads a header. Returns `nil` where there are fewer than nine bytes behind `index`.
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
