import NIOCore

/// Finds the frames in one direction of a connection: their headers, and nothing else.
struct FrameScan: Sendable {
    /// The beginning of a header whose end has not come.
    private var header = ByteBuffer()
    /// Bytes of a payload, or of what comes before the first frame, that are still to come.
    private var skipping: Int

    /// `prefix` is how many bytes come before the first frame.
    init(skipping prefix: Int = 0) {
        self.skipping = prefix
    }

    /// Reads bytes. Calls `found` for every header that is complete.
    mutating func take(
        _ buffer: ByteBuffer, found: (FrameHeader) throws(TransportError) -> Void
    ) throws(TransportError) {
        var rest = buffer
        while rest.readableBytes > 0 {
            let skipped = min(skipping, rest.readableBytes)
            skipping -= skipped
            rest.moveReaderIndex(forwardBy: skipped)
            if header.readableBytes == 0, let frame = FrameHeader(rest, at: rest.readerIndex) {
                rest.moveReaderIndex(forwardBy: FrameHeader.size)
                skipping = frame.length
                try found(frame)
                continue
            }
            // It comes in pieces.
            let wanted = min(FrameHeader.size - header.readableBytes, rest.readableBytes)
            guard var piece = rest.readSlice(length: wanted) else { return }
            header.writeBuffer(&piece)
            guard let frame = FrameHeader(header, at: header.readerIndex) else { return }
            header.clear()
            skipping = frame.length
            try found(frame)
        }
    }
}
