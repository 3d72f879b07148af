import HoldfastBase

/// A generator whose whole sequence follows from its seed (SplitMix64, by Steele, Lea and Flood). For tests that must
/// be repeatable; not for keys.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var numbers: SplitMix64

    /// Makes a generator; the same seed gives the same sequence.
    public init(seed: UInt64) {
        numbers = SplitMix64(seed: seed)
    }

    public mutating func next() -> UInt64 { numbers.next() }
}
