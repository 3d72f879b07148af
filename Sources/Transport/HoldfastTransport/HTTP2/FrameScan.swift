import NIOCore

/// Finds the frames in one direction of a connection: their headers, and the payload of SETTINGS frames.
struct FrameScan: Sendable {
    /// The start of an incomplete header.
    private var header = ByteBuffer()
    /// The number of remaining bytes of a payload, or of the data before the first frame.
    private var skipping: Int
    /// The received part of the current SETTINGS frame; `nil` in other frames.
    private var settings: ByteBuffer?

    /// Creates a scan. `prefix` is the number of bytes before the first frame.
    init(skipping prefix: Int = 0) {
        self.skipping = prefix
    }

    /// Parses bytes. Calls `found` for each complete header, and `set` for each setting once its frame is complete.
    mutating func take(
        _ buffer: ByteBuffer, found: (HTTP2FrameHeader) throws(TransportError) -> Void,
        set: (_ identifier: UInt16, _ value: UInt32) throws(TransportError) -> Void = { _, _ in }
    ) throws(TransportError) {
        var rest = buffer
        while rest.readableBytes > 0 {
            let skipped = min(skipping, rest.readableBytes)
            skipping -= skipped
            if var part = rest.readSlice(length: skipped) { settings?.writeBuffer(&part) }
            if skipping == 0, var settings = settings.take() {
                while let (identifier, value) = settings.readMultipleIntegers(as: (UInt16, UInt32).self) {
                    try set(identifier, value)
                }
            }
            if header.readableBytes == 0, let frame = HTTP2FrameHeader(rest, at: rest.readerIndex) {
                rest.moveReaderIndex(forwardBy: HTTP2FrameHeader.size)
                try begin(frame, found)
                continue
            }
            // The header arrives in several pieces.
            let wanted = min(HTTP2FrameHeader.size - header.readableBytes, rest.readableBytes)
            guard var piece = rest.readSlice(length: wanted) else { return }
            header.writeBuffer(&piece)
            guard let frame = HTTP2FrameHeader(header, at: header.readerIndex) else { return }
            header.clear()
            try begin(frame, found)
        }
    }

    private mutating func begin(
        _ frame: HTTP2FrameHeader, _ found: (HTTP2FrameHeader) throws(TransportError) -> Void
    ) throws(TransportError) {
        skipping = frame.length
        // The library reports a larger frame as an error, because it exceeds the maximum frame size.
        if frame.kind == .settings, (1...HTTP2Limits.frameSize).contains(frame.length) { settings = ByteBuffer() }
        try found(frame)
    }
}

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
