import HoldfastTransport

/// Compresses messages, whole or piece by piece (RFC 7692, 7.2.1).
///
/// zlib's state takes up to 268 KiB. It exists while a message is compressed, or permanently from the first message on
/// with context takeover. For a single message of known size, the state is sized to the message. The type has one
/// owner.
struct Deflater: ~Copyable {
    /// The bytes at the end of every flush, which are removed from the end of a message.
    private static let tail: [UInt8] = [0x00, 0x00, 0xFF, 0xFF]
    private static let pieceSize = 16 * 1024
    /// The smallest window that zlib's `deflate` accepts for a raw stream; it rejects 8.
    private static let smallestWindow = 9

    private let windowBits: Int
    private let keepsContext: Bool
    private let level: Int32
    private var stream: ZlibStream?

    /// Makes a deflater without allocating memory.
    init(windowBits: Int, keepsContext: Bool, level: Int) {
        self.windowBits = windowBits
        self.keepsContext = keepsContext
        self.level = Int32(clamping: level)
    }

    /// Whether memory is allocated.
    var isAllocated: Bool { stream != nil }

    /// Compresses a whole, non-empty message. Returns `nil` if compression would not make it smaller; send it
    /// uncompressed then. With context takeover, the result is never `nil`.
    mutating func compress(_ message: UnsafeRawBufferPointer) throws(ZlibFailure) -> [UInt8]? {
        try allocate(forSize: message.count)
        defer { if !keepsContext { stream = nil } }
        var output: [UInt8] = []
        let limit = keepsContext ? Int.max : message.count + Self.tail.count
        guard try run(message, into: &output, limit: limit) else { return nil }
        try cut(&output)
        return keepsContext || output.count < message.count ? output : nil
    }

    /// Compresses a piece of a message and flushes it, so that the receiver can decompress the whole piece.
    mutating func compress(piece: UnsafeRawBufferPointer, isLast: Bool) throws(ZlibFailure) -> [UInt8] {
        try allocate(forSize: nil)
        defer { if isLast, !keepsContext { stream = nil } }
        guard !piece.isEmpty else {
            // The first byte of the empty block whose end is removed (RFC 7692, 7.2.3.6). The previous output ended on
            // a byte boundary.
            return isLast ? [0x00] : []
        }
        var output: [UInt8] = []
        _ = try run(piece, into: &output, limit: .max)
        if isLast { try cut(&output) }
        return output
    }

    /// Compresses and flushes. Returns `false` if the output would exceed `limit` bytes.
    private func run(
        _ bytes: UnsafeRawBufferPointer, into output: inout [UInt8], limit: Int
    ) throws(ZlibFailure) -> Bool {
        guard let stream else { return false }
        output.reserveCapacity(min(bytes.count / 2 + 64, Self.pieceSize))
        var input = bytes
        let room = UnsafeMutableRawBufferPointer.allocate(
            byteCount: min(bytes.count + 64, Self.pieceSize), alignment: 1)
        defer { room.deallocate() }
        var isFull = false
        repeat {
            let (outcome, taken, made) = stream.run(input, into: room, flushes: true)
            input = UnsafeRawBufferPointer(rebasing: input[taken...])
            output.append(contentsOf: room[..<made])
            switch outcome {
            case .progress: break
            case .starved where input.isEmpty: return true
            case .failed(let code): throw ZlibFailure(code: code)
            default: throw .unexpectedOutput
            }
            guard output.count <= limit else { return false }
            isFull = made == room.count
        } while !input.isEmpty || isFull
        return true
    }

    private func cut(_ output: inout [UInt8]) throws(ZlibFailure) {
        guard output.suffix(Self.tail.count).elementsEqual(Self.tail) else { throw .unexpectedOutput }
        output.removeLast(Self.tail.count)
    }

    // MARK: Memory

    /// - Parameter size: The size of a single message; `nil` if unknown.
    private mutating func allocate(forSize size: Int?) throws(ZlibFailure) {
        guard stream == nil else { return }
        var bits = max(windowBits, Self.smallestWindow)
        if let size, !keepsContext {
            // A window larger than the message is not needed, but zlib can refer back 262 bytes less than its window.
            let needed = Int.bitWidth - (size + 262 - 1).leadingZeroBitCount
            bits = min(bits, max(needed, Self.smallestWindow))
        }
        // Sizes the tables in proportion to the window; 8 is zlib's default.
        stream = try ZlibStream(deflatingAt: level, windowBits: bits, memoryLevel: min(bits - 5, 8))
    }
}
