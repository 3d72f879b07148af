import NIOCore

/// Finds the frames in one direction of a connection: their headers, and nothing else.
struct FrameScan: Sendable {
    private var header: [UInt8] = []
    /// Bytes of a payload, or of what comes before the first frame, that are still to come.
    private var skipping: Int

    /// `prefix` is how many bytes come before the first frame.
    init(skipping prefix: Int = 0) {
        self.skipping = prefix
        header.reserveCapacity(FrameHeader.size)
    }

    /// Reads bytes. Calls `found` for every header that is complete.
    mutating func take(
        _ buffer: ByteBuffer, found: (FrameHeader) throws(TransportError) -> Void
    ) throws(TransportError) {
        var rest = buffer.readableBytesView
        while !rest.isEmpty {
            let skipped = min(skipping, rest.count)
            skipping -= skipped
            rest = rest.dropFirst(skipped)
            guard !rest.isEmpty else { return }
            let wanted = rest.prefix(FrameHeader.size - header.count)
            header.append(contentsOf: wanted)
            rest = rest.dropFirst(wanted.count)
            guard header.count == FrameHeader.size else { return }
            let frame = FrameHeader(header)
            header.removeAll(keepingCapacity: true)
            skipping = frame.length
            try found(frame)
        }
    }
}
