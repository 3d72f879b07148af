/// The four bytes that a client's payload is combined with by XOR (RFC 6455, 5.3).
///
/// It keeps a page's script from choosing the bytes on the wire, and hides nothing. The key must be unpredictable to
/// whoever chose the payload, so it comes from the caller's source of randomness, a fresh one for each frame.
package struct MaskKey: Hashable, Sendable {
    /// The key's bytes as a number, the first byte on the wire the most significant.
    package var rawValue: UInt32

    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// The key as it applies to payload that begins `offset` bytes into the frame, repeated to a machine word whose
    /// first byte in memory belongs to the first byte of that payload.
    private func word(at offset: Int) -> UInt64 {
        let shift = UInt32(truncatingIfNeeded: offset & 3) * 8
        let rotated = shift == 0 ? rawValue : (rawValue << shift) | (rawValue >> (32 - shift))
        return (UInt64(rotated) << 32 | UInt64(rotated)).bigEndian
    }

    /// Masks or unmasks `bytes` in place; `offset` is the place of their first byte within the frame's payload.
    package func apply(to bytes: UnsafeMutableRawBufferPointer, offset: Int = 0) {
        copy(UnsafeRawBufferPointer(bytes), to: bytes, offset: offset)
    }

    /// Masks or unmasks `source` into `destination`, a machine word at a time. Both have the same length, and are
    /// either the same memory or do not overlap.
    package func copy(
        _ source: UnsafeRawBufferPointer, to destination: UnsafeMutableRawBufferPointer, offset: Int = 0
    ) {
        guard let from = source.baseAddress, let to = destination.baseAddress else { return }
        let count = min(source.count, destination.count)
        let word = word(at: offset)
        var index = 0
        // Four words a turn: enough for the compiler to use vector registers.
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
        // Whole words have gone, so the word's own bytes still line up with what is left.
        var rest = UInt64(littleEndian: word)
        while index < count {
            let byte = from.load(fromByteOffset: index, as: UInt8.self) ^ UInt8(truncatingIfNeeded: rest)
            to.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
            rest >>= 8
            index &+= 1
        }
    }
}
