import HoldfastTransport

/// Undoes the compression of messages, piece by piece (RFC 7692, 7.2.2).
///
/// zlib's state, about 48 KiB, exists from the first byte of a message to its last, or from the first message on where
/// later ones may refer to it. However much a piece becomes, no more than ``pieceSize`` bytes of it exist at a time. There
/// is one owner.
struct Inflater: ~Copyable {
    /// The most bytes that ``next()`` returns.
    static let pieceSize = 16 * 1024

    private let windowBits: Int
    private let keepsContext: Bool
    private var stream: ZlibStream?
    private var output: UnsafeMutableRawBufferPointer?
    /// What was fed and not taken yet. It belongs to whoever fed it.
    private var input = UnsafeRawBufferPointer(start: nil, count: 0)
    /// Whether zlib may hold more output for the input that it has taken.
    private var mayHoldMore = false
    /// Whether the stream has ended by its own word: the next byte begins another one (RFC 7692, 7.2.3.4).
    private var hasEnded = false
    /// What is wrong behind the piece that was returned last.
    private var failure: ReceivingFailure?
    /// Whether the message in progress has brought a byte.
    private var hasInput = false

    /// Makes an inflater. Takes no memory yet.
    init(windowBits: Int, keepsContext: Bool) {
        // Harmless where the peer keeps to a smaller one, and the smallest that zlib is sure to know.
        self.windowBits = max(windowBits, 9)
        self.keepsContext = keepsContext
    }

    deinit {
        output?.deallocate()
    }

    /// Whether memory is taken.
    var isAllocated: Bool { stream != nil }

    /// Takes compressed bytes. They have to stay where they are until ``next()`` has returned `nil`, and it must have done
    /// so before.
    mutating func feed(_ bytes: UnsafeRawBufferPointer) throws(ReceivingFailure) {
        try allocate()
        input = bytes
        hasInput = hasInput || !bytes.isEmpty
    }

    /// The next piece of what came of the bytes; `nil` when more of them are needed. It is gone with the next call.
    mutating func next() throws(ReceivingFailure) -> UnsafeRawBufferPointer? {
        if let failure { throw failure }
        guard let stream, let output else { return nil }
        while !input.isEmpty || mayHoldMore {
            if hasEnded {
                // What follows may still refer to what came before, so the window stays.
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
            // What came out before is looked at first, so that what is found does not depend on how the bytes arrived.
            if made > 0 { return UnsafeRawBufferPointer(rebasing: output[..<made]) }
            if let failure { throw failure }
            // Never seen; but a loop without progress must not be possible.
            guard taken > 0 || hasEnded || input.isEmpty else { throw .violation(.malformedCompression) }
        }
        return nil
    }

    /// The message is complete, and ``next()`` has returned `nil`. Throws where it was cut off.
    ///
    /// What the sender has cut off its end is put back (RFC 7692, 7.2.2), unless the stream has ended by its own word, or
    /// not a byte has come: some senders write an empty message like that, though 7.2.3.6 says otherwise. It has to be taken
    /// for what it is, the end of an empty block, and not for content of the message.
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

    /// Gives the memory back; what was in the window is gone.
    mutating func release() {
        stream = nil
        releaseOutput()
        hasEnded = false
        mayHoldMore = false
        failure = nil
    }
}
