import NIOCore

/// Finds the frames in one direction of a connection: their headers, and the payload of settings.
struct FrameScan: Sendable {
    /// The beginning of a header whose end has not come.
    private var header = ByteBuffer()
    /// Bytes of a payload, or of what comes before the first frame, that are still to come.
    private var skipping: Int
    /// Of SETTINGS under way, what has come; `nil` within other frames.
    private var settings: ByteBuffer?

    /// `prefix` is how many bytes come before the first frame.
    init(skipping prefix: Int = 0) {
        self.skipping = prefix
    }

    /// Reads bytes. Calls `found` for every header that is complete, and `set` for every setting, once the frame is complete.
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
            // It comes in pieces.
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
        // A larger one is an error for the library: it is larger than any frame may be here.
        if frame.kind == .settings, (1...HTTP2Limits.frameSize).contains(frame.length) { settings = ByteBuffer() }
        try found(frame)
    }
}
