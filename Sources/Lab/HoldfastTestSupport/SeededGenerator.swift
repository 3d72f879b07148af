import HoldfastBase

/// A random number generator with a seed (SplitMix64, by Steele, Lea and Flood). Use it for repeatable tests, not for
/// keys.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var numbers: SplitMix64

    /// Creates a generator. The same seed gives the same sequence.
    public init(seed: UInt64) {
        numbers = SplitMix64(seed: seed)
    }

    /// Returns the next number.
    public mutating func next() -> UInt64 { numbers.next() }
}
