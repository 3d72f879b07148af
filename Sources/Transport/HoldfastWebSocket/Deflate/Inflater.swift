import HoldfastTransport

/// Decompresses messages piece by piece (RFC 7692, 7.2.2).
///
/// zlib's state takes about 48 KiB. It exists from the first to the last byte of a message, or permanently from the
/// first message on with context takeover. At most ``pieceSize`` bytes of output exist at a time. The type has one
/// owner.
struct Inflater: ~Copyable {
    /// The maximum number of bytes that ``next()`` returns.
    static let pieceSize = 16 * 1024

    private let windowBits: Int
    private let keepsContext: Bool
    private var stream: ZlibStream?
    private var output: UnsafeMutableRawBufferPointer?
    /// The input that has not been consumed yet. Its memory belongs to the caller.
    private var input = UnsafeRawBufferPointer(start: nil, count: 0)
    /// Whether zlib may hold more output for consumed input.
    private var mayHoldMore = false
    /// Whether the stream has ended with a final block. The next byte then begins another stream (RFC 7692, 7.2.3.4).
    private var hasEnded = false
    /// The failure after the last returned piece.
    private var failure: ReceivingFailure?
    /// Whether the current message has received any bytes.
    private var hasInput = false

    /// Makes an inflater without allocating memory.
    init(windowBits: Int, keepsContext: Bool) {
        // Larger than a smaller window of the peer, which is safe; 9 is the smallest window that zlib supports.
        self.windowBits = max(windowBits, 9)
        self.keepsContext = keepsContext
    }

    deinit {
        output?.deallocate()
    }

    /// Whether memory is allocated.
    var isAllocated: Bool { stream != nil }

    /// Sets the next compressed bytes. Call it only after ``next()`` has returned `nil`. The bytes must stay valid
    /// until ``next()`` returns `nil` again.
    mutating func feed(_ bytes: UnsafeRawBufferPointer) throws(ReceivingFailure) {
        try allocate()
        input = bytes
        hasInput = hasInput || !bytes.isEmpty
    }

    /// Returns the next decompressed piece, or `nil` if more input is needed. The piece is valid until the next call.
    mutating func next() throws(ReceivingFailure) -> UnsafeRawBufferPointer? {
        if let failure { throw failure }
        guard let stream, let output else { return nil }
        while !input.isEmpty || mayHoldMore {
            if hasEnded {
                // The window stays, because later data may still refer to earlier data.
                guard stream.continueBehindEnd() else { throw .violation(.malformedCompression) }
                hasEnded = false
            }
            let room = UnsafeMutableRawBufferPointer(rebasing: output[..<Self.pieceSize])
            let (outcome, taken, made) = stream.run(input, into: room, flushes: true)
            input = UnsafeRawBufferPointer(rebasing: input[taken...])
            switch outcome {
            case .progress, .starved: break
            case .ended: hasEnded = true
            case .noMemory: failure = .zlib(.noMemory)
            case .needsDictionary, .failed: failure = .violation(.malformedCompression)
            }
            mayHoldMore = !hasEnded && made == Self.pieceSize
            // Earlier output is returned first, so that the result does not depend on how the bytes were split.
            if made > 0 { return UnsafeRawBufferPointer(rebasing: output[..<made]) }
            if let failure { throw failure }
            // Never observed; prevents a loop without progress.
            guard taken > 0 || hasEnded || input.isEmpty else { throw .violation(.malformedCompression) }
        }
        return nil
    }

    /// Ends the message after ``next()`` has returned `nil`. Throws if the message is truncated.
    ///
    /// Appends the bytes that the sender removed (RFC 7692, 7.2.2), unless the stream has ended with a final block or
    /// no byte has arrived. Some senders write an empty message without any bytes, contrary to RFC 7692, 7.2.3.6. The
    /// appended bytes must decompress to the end of an empty block, not to message content.
    mutating func endMessage() throws(ReceivingFailure) {
        defer { if !keepsContext { release() } else { releaseOutput() } }
        defer { hasInput = false }
        guard hasInput, !hasEnded, let output, let stream else { return }
        output[Self.pieceSize...].copyBytes(from: [0x00, 0x00, 0xFF, 0xFF])
        input = UnsafeRawBufferPointer(rebasing: output[Self.pieceSize...])
        guard try next() == nil, stream.isBehindBlock else { throw .violation(.malformedCompression) }
    }

    // MARK: Memory

    private mutating func allocate() throws(ReceivingFailure) {
        if output == nil {
            output = .allocate(byteCount: Self.pieceSize + 4, alignment: 16)
        }
        guard stream == nil else { return }
        do throws(ZlibFailure) {
            stream = try ZlibStream(inflating: .raw, windowBits: windowBits)
        } catch {
            throw .zlib(error)
        }
    }

    private mutating func releaseOutput() {
        output?.deallocate()
        output = nil
    }

    /// Releases the memory and the window.
    mutating func release() {
        stream = nil
        releaseOutput()
        hasEnded = false
        mayHoldMore = false
        failure = nil
    }
}
