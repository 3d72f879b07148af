/// A seeded generator of random numbers (SplitMix64, by Steele, Lea and Flood).
///
/// The same seed gives the same sequence in every process. Not suitable for keys: an observer of one number can compute
/// all later ones.
package struct SplitMix64: RandomNumberGenerator, Hashable, Sendable {
    private var state: UInt64

    /// Creates a generator.
    package init(seed: UInt64) {
        state = seed
    }

    package mutating func next() -> UInt64 {
        state &+= Self.increment
        return Self.mixed(state)
    }

    /// The constant that is added to the state for each number: 2⁶⁴ divided by the golden ratio, made odd.
    package static let increment: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// Returns a number in which each bit depends on all bits of `value`. Different values give different results.
    package static func mixed(_ value: UInt64) -> UInt64 {
        var mixed = value
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Returns 128 random bits as 32 hexadecimal digits.
    package mutating func hexadecimal() -> String {
        Self.hexadecimal(next(), next())
    }

    /// Returns the text form of a random UUID of version 4 (RFC 9562, 5.4).
    package mutating func uuid() -> String {
        let high = next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        let low = next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        var text = ""
        for (offset, digit) in Self.hexadecimal(high, low).enumerated() {
            if offset == 8 || offset == 12 || offset == 16 || offset == 20 { text.append("-") }
            text.append(digit)
        }
        return text
    }

    private static func hexadecimal(_ words: UInt64...) -> String {
        words.map { $0.padded(to: 16, radix: 16) }.joined()
    }
}
