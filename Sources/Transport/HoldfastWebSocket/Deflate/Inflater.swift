import CZlib

/// Undoes the compression of messages, piece by piece (RFC 7692, 7.2.2).
///
/// zlib's state, about 48 KiB, exists from the first byte of a message to its last, or from the first message on where
/// later ones may refer to it. However much a piece becomes, no more than ``pieceSize`` bytes of it exist at a time. There
/// is one owner: the state lies at an address of its own, and goes with its owner.
struct Inflater: ~Copyable {
    /// Why a message cannot be inflated.
    enum Failure: Error, Hashable {
        /// The peer sent something that is no DEFLATE.
        case malformed
        case zlib(ZlibFailure)
    }

    /// The most bytes that ``next()`` returns.
    static let pieceSize = 16 * 1024

    private let windowBits: Int32
    private let keepsContext: Bool
    /// zlib keeps the address of its stream.
    private var stream: UnsafeMutablePointer<z_stream>?
    private var output: UnsafeMutableRawBufferPointer?
    /// What was fed and not taken yet. It belongs to whoever fed it.
    private var input = UnsafeRawBufferPointer(start: nil, count: 0)
    /// Whether zlib may hold more output for the input that it has taken.
    private var mayHoldMore = false
    /// Whether the stream has ended by its own word: the next byte begins another one (RFC 7692, 7.2.3.4).
    private var hasEnded = false
    /// What is wrong behind the piece that was returned last.
    private var failure: Failure?
    /// Whether the message in progress has brought a byte.
    private var hasInput = false

    /// Makes an inflater. Takes no memory yet.
    init(windowBits: Int, keepsContext: Bool) {
        // Harmless where the peer keeps to a smaller one, and the smallest that zlib is sure to know.
        self.windowBits = Int32(clamping: max(windowBits, 9))
        self.keepsContext = keepsContext
    }

    deinit {
        Self.free(stream)
        output?.deallocate()
    }

    /// Whether memory is taken.
    var isAllocated: Bool { stream != nil }

    /// Takes compressed bytes. They have to stay where they are until ``next()`` has returned `nil`, and it must have done
    /// so before.
    mutating func feed(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
        try allocate()
        input = bytes
        hasInput = hasInput || !bytes.isEmpty
    }

    /// The next piece of what came of the bytes; `nil` when more of them are needed. It is gone with the next call.
    mutating func next() throws(Failure) -> UnsafeRawBufferPointer? {
        if let failure { throw failure }
        guard let stream, let output else { return nil }
        while !input.isEmpty || mayHoldMore {
            if hasEnded {
                // What follows may still refer to what came before, so the window stays.
                guard inflateResetKeep(stream) == Z_OK else { throw .malformed }
                hasEnded = false
            }
            let offered = min(input.count, Int(UInt32.max))
            // zlib does not write to its input; its header only says so where a macro is set.
            let bytes = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
            stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes)
            stream.pointee.avail_in = UInt32(offered)
            stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
            stream.pointee.avail_out = UInt32(Self.pieceSize)
            let result = inflate(stream, Z_SYNC_FLUSH)
            let taken = offered - Int(stream.pointee.avail_in)
            let made = Self.pieceSize - Int(stream.pointee.avail_out)
            stream.pointee.next_in = nil
            stream.pointee.next_out = nil
            input = UnsafeRawBufferPointer(rebasing: input[taken...])
            switch result {
            case Z_OK, Z_BUF_ERROR: break
            case Z_STREAM_END: hasEnded = true
            case Z_MEM_ERROR: failure = .zlib(ZlibFailure(code: result))
            default: failure = .malformed
            }
            mayHoldMore = !hasEnded && made == Self.pieceSize
            // What came out before is looked at first, so that what is found does not depend on how the bytes arrived.
            if made > 0 { return UnsafeRawBufferPointer(rebasing: output[..<made]) }
            if let failure { throw failure }
            // Never seen; but a loop without progress must not be possible.
            guard taken > 0 || hasEnded || input.isEmpty else { throw .malformed }
        }
        return nil
    }

    /// The message is complete, and ``next()`` has returned `nil`. Throws where it was cut off.
    ///
    /// What the sender has cut off its end is put back (RFC 7692, 7.2.2), unless the stream has ended by its own word, or
    /// not a byte has come: some senders write an empty message like that, though 7.2.3.6 says otherwise. It has to be taken
    /// for what it is, the end of an empty block, and not for content of the message.
    mutating func endMessage() throws(Failure) {
        defer { if !keepsContext { release() } else { releaseOutput() } }
        defer { hasInput = false }
        guard hasInput, !hasEnded, let output, let stream else { return }
        output[Self.pieceSize...].copyBytes(from: [0x00, 0x00, 0xFF, 0xFF])
        input = UnsafeRawBufferPointer(rebasing: output[Self.pieceSize...])
        guard try next() == nil else { throw .malformed }
        // zlib's manual on inflate: 128 is added behind a block, the lowest six bits count bits that are left over.
        let state = stream.pointee.data_type
        guard state & 128 != 0, state & 0x3F == 0 else { throw .malformed }
    }

    // MARK: Memory

    private mutating func allocate() throws(Failure) {
        if output == nil {
            output = .allocate(byteCount: Self.pieceSize + 4, alignment: 16)
        }
        guard stream == nil else { return }
        let fresh = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        fresh.initialize(to: z_stream())
        // Negative: the bare stream, without zlib's header and trailer.
        let result = inflateInit2_(fresh, -windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard result == Z_OK else {
            fresh.deinitialize(count: 1)
            fresh.deallocate()
            throw .zlib(ZlibFailure(code: result))
        }
        stream = fresh
    }

    private mutating func releaseOutput() {
        output?.deallocate()
        output = nil
    }

    /// Gives the memory back; what was in the window is gone.
    mutating func release() {
        Self.free(stream)
        stream = nil
        releaseOutput()
        hasEnded = false
        mayHoldMore = false
        failure = nil
    }

    private static func free(_ stream: UnsafeMutablePointer<z_stream>?) {
        guard let stream else { return }
        inflateEnd(stream)
        stream.deinitialize(count: 1)
        stream.deallocate()
    }
}
