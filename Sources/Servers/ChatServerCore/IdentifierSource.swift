/// Turns the one number of entropy that a turn is given into as many identifiers as the turn needs (SplitMix64).
struct IdentifierSource {
    private var state: UInt64

    init(entropy: UInt64) {
        state = entropy
    }

    private mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var value = state
        value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
        value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
        return value ^ (value >> 31)
    }

    /// Whether something happens that happens so many times in a hundred. Nothing is drawn for what never happens.
    mutating func draws(percent: Int64) -> Bool {
        percent > 0 && next() % 100 < UInt64(percent)
    }

    /// 128 bits as 32 hexadecimal digits.
    mutating func hexadecimal() -> String {
        [next(), next()].map { word in
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
