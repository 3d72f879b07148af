/// The four-byte key with which a client's payload is combined by XOR (RFC 6455, 5.3).
///
/// Masking prevents a web page's script from choosing the bytes on the wire; it does not encrypt. The author of the
/// payload must not be able to predict the key, so each frame gets a new one from the caller's source of randomness.
package struct MaskKey: Hashable, Sendable {
    /// The bytes of the key as a big-endian number.
    package var rawValue: UInt32

    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// Returns the key, repeated to a machine word and rotated for payload that begins `offset` bytes into the frame.
    /// The first byte of the word in memory belongs to the first byte of that payload.
    private func word(at offset: Int) -> UInt64 {
        let shift = UInt32(truncatingIfNeeded: offset & 3) * 8
        let rotated = shift == 0 ? rawValue : (rawValue << shift) | (rawValue >> (32 - shift))
        return (UInt64(rotated) << 32 | UInt64(rotated)).bigEndian
    }

    /// Masks or unmasks `bytes` in place. `offset` is the position of the first byte within the frame's payload.
    package func apply(to bytes: UnsafeMutableRawBufferPointer, offset: Int = 0) {
        copy(UnsafeRawBufferPointer(bytes), to: bytes, offset: offset)
    }

    /// Masks or unmasks `source` into `destination`, one machine word at a time. Both must have the same length and be
    /// either identical or disjoint memory.
    package func copy(
        _ source: UnsafeRawBufferPointer, to destination: UnsafeMutableRawBufferPointer, offset: Int = 0
    ) {
        guard let from = source.baseAddress, let to = destination.baseAddress else { return }
        let count = min(source.count, destination.count)
        let word = word(at: offset)
        var index = 0
        // Four words per iteration are enough for the compiler to use vector registers.
        while index &+ 32 <= count {
            let first = from.loadUnaligned(fromByteOffset: index, as: UInt64.self) ^ word
            let second = from.loadUnaligned(fromByteOffset: index &+ 8, as: UInt64.self) ^ word
            let third = from.loadUnaligned(fromByteOffset: index &+ 16, as: UInt64.self) ^ word
            let fourth = from.loadUnaligned(fromByteOffset: index &+ 24, as: UInt64.self) ^ word
            to.storeBytes(of: first, toByteOffset: index, as: UInt64.self)
            to.storeBytes(of: second, toByteOffset: index &+ 8, as: UInt64.self)
            to.storeBytes(of: third, toByteOffset: index &+ 16, as: UInt64.self)
            to.storeBytes(of: fourth, toByteOffset: index &+ 24, as: UInt64.self)
            index &+= 32
        }
        while index &+ 8 <= count {
            let value = from.loadUnaligned(fromByteOffset: index, as: UInt64.self) ^ word
            to.storeBytes(of: value, toByteOffset: index, as: UInt64.self)
            index &+= 8
        }
        // Only whole words were processed, so the word's bytes are still aligned with the remaining bytes.
        var rest = UInt64(littleEndian: word)
        while index < count {
            let byte = from.load(fromByteOffset: index, as: UInt8.self) ^ UInt8(truncatingIfNeeded: rest)
            to.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
            rest >>= 8
            index &+= 1
        }
    }
}
