/// The number of a dial within one pool.
struct DialID: Hashable, Sendable, Comparable {
    let number: UInt64

    static func < (lhs: Self, rhs: Self) -> Bool { lhs.number < rhs.number }
}
