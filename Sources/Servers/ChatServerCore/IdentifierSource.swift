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
    mutating func hexadecimal() -> String {
        [numbers.next(), numbers.next()].map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    /// The text form of a version 4 UUID.
    mutating func uuid() -> String {
        var digits = Array(hexadecimal())
        digits[12] = "4"
        digits[16] = ["8", "9", "a", "b"][(digits[16].hexDigitValue ?? 0) % 4]
        let groups = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
        return groups.map { String(digits[$0]) }.joined(separator: "-")
    }
}
