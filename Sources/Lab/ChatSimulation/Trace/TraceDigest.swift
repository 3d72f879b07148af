import HoldfastBase

/// A running hash of everything that happened, which is the same in every process. (The seed of `Hasher` differs
/// between processes.)
package struct TraceDigest: Hashable, Sendable, CustomStringConvertible {
    package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ number: UInt64) {
        value = (value ^ number) &* 0x9FB2_1C65_1E98_DF25
        value ^= value >> 32
    }

    mutating func add(_ number: Int64) { add(UInt64(bitPattern: number)) }

    mutating func add(_ number: Int) { add(UInt64(bitPattern: Int64(number))) }

    mutating func add(_ text: String) {
        var text = text
        // Adds all bytes at once, because a loop over characters would take longer than the cores.
        let words = text.withUTF8 { bytes in
            var digest: UInt64 = UInt64(bytes.count)
            let raw = UnsafeRawBufferPointer(bytes)
            var offset = 0
            while offset + 8 <= raw.count {
                digest = (digest ^ raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) &* 0x9FB2_1C65_1E98_DF25
                digest ^= digest >> 29
                offset += 8
            }
            while offset < raw.count {
                digest = (digest ^ UInt64(raw[offset])) &* 0x9FB2_1C65_1E98_DF25
                offset += 1
            }
            return digest
        }
        add(words)
    }

    mutating func add(_ text: String?) {
        if let text { add(text) } else { add(0x00FF as UInt64) }
    }

    package var description: String { value.padded(to: 16, radix: 16) }
}
