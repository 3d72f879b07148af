import HoldfastBase

/// Derives any number of identifiers from the random number of a turn.
struct IdentifierSource {
    private var numbers: SplitMix64

    init(entropy: UInt64) {
        numbers = SplitMix64(seed: entropy)
    }

    /// Returns `true` with a probability in percent. For 0 percent, no random number is used.
    mutating func draws(percent: Int64) -> Bool {
        percent > 0 && numbers.next() % 100 < UInt64(percent)
    }

    /// Returns 128 bits as 32 hexadecimal digits.
    mutating func hexadecimal() -> String { numbers.hexadecimal() }

    /// Returns the text form of a version 4 UUID.
    mutating func uuid() -> String { numbers.uuid() }
}
