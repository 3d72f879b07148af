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
    mutating func uuid() -> String { numbers.uuid() }
}
