import HoldfastBase

/// A generator of random numbers that is seeded with the entropy of one event, for turns that need more than one
/// number.
struct EntropySource {
    private var numbers: SplitMix64

    init(seed: UInt64) {
        numbers = SplitMix64(seed: seed)
    }

    mutating func next() -> UInt64 { numbers.next() }

    /// Returns a version 4 UUID for values that need not be unpredictable, such as a typing notice or a survey answer.
    /// Its uniqueness depends on the entropy of the events.
    mutating func uuid() -> String { numbers.uuid() }
}
