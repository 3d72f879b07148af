import HoldfastBase

/// A generator of numbers that depends only on its seed.
struct SeededNumbers {
    private var numbers: SplitMix64

    init(seed: UInt64) {
        numbers = SplitMix64(seed: seed &* 0xD134_2543_DE82_EF95 &+ 1)
    }

    mutating func next() -> UInt64 { numbers.next() }

    mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(max(1, limit))) }

    mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

    /// Returns a number that is often near the ends of its range.
    mutating func extreme() -> Int64 {
        switch below(5) {
        case 0: .max
        case 1: .min
        case 2: 0
        case 3: Int64(below(1000))
        default: Int64(bitPattern: next())
        }
    }
}
