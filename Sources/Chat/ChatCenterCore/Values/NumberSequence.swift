/// Numbers from 1 on, each of them once.
struct NumberSequence: Hashable, Sendable {
    private var last: UInt64 = 0

    mutating func next() -> UInt64 {
        last &+= 1
        return last
    }
}
