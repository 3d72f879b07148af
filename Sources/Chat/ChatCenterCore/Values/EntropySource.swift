import HoldfastBase

/// Numbers drawn from the entropy of one event, for turns that need more than one.
struct EntropySource {
    private var numbers: SplitMix64

    init(seed: UInt64) {
        numbers = SplitMix64(seed: seed)
    }

    mutating func next() -> UInt64 { numbers.next() }

    /// A version 4 uuid for things that nobody needs to guess: a typing notice, an answer to a survey. Two of one client
    /// are as different as the entropy of the events that made them.
    mutating func uuid() -> String {
        let high = next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        let low = next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        let hex = Self.hex(high) + Self.hex(low)
        var text = ""
        for (offset, digit) in hex.enumerated() {
            if offset == 8 || offset == 12 || offset == 16 || offset == 20 { text.append("-") }
            text.append(digit)
        }
        return text
    }

    private static func hex(_ value: UInt64) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
