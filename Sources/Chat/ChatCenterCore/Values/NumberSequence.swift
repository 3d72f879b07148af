/// A sequence of increasing numbers, starting at 1.
struct NumberSequence: Hashable, Sendable {
    private var last: UInt64 = 0

    mutating func next() -> UInt64 {
        last &+= 1
        return last
    }
}
