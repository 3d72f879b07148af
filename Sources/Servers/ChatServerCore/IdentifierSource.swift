import HoldfastBase

/// Turns the one number of entropy that a turn is given into as many identifiers as the turn needs.
struct IdentifierSource {
    private var numbers: SplitMix64

    init(entropy: UInt64) {
        numbers = SplitMix64(seed: entropy)
    }

    /// Whether something happens that happens so many times in a hundred. Nothing is drawn for what never happens.
    mutating func draws(percent: Int64) -> Bool {
        percent > 0 && numbers.next() % 100 < UInt64(percent)
    }

    /// 128 bits as 32 hexadecimal digits.
    mutating func hexadecimal() -> String { numbers.hexadecimal() }

    /// The text form of a version 4 UUID.
    mutating func uuid() -> String { numbers.uuid() }
}
