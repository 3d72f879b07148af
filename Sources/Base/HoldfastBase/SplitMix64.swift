/// Numbers that follow from a seed (SplitMix64, by Steele, Lea and Flood). The same seed gives the same sequence in every process.
/// Not for keys: whoever sees one number knows all later ones.
package struct SplitMix64: RandomNumberGenerator, Hashable, Sendable {
    private var state: UInt64

    /// Makes a generator.
    package init(seed: UInt64) {
        state = seed
    }

    package mutating func next() -> UInt64 {
        state &+= Self.increment
        return Self.mixed(state)
    }

    /// What the state grows by from one number to the next: the golden ratio of 2⁶⁴, made odd.
    package static let increment: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// A number in which each bit depends on all bits of the given one; different for different ones.
    package static func mixed(_ value: UInt64) -> UInt64 {
        var mixed = value
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
