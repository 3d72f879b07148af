import Synchronization

/// The number of a request, unique within the process.
struct RequestID: Hashable, Sendable, Comparable, CustomStringConvertible {
    private static let last = Atomic<UInt64>(0)

    let number: UInt64

    init(_ number: UInt64) {
        self.number = number
    }

    /// Returns a new unique number.
    static func next() -> RequestID {
        RequestID(last.add(1, ordering: .relaxed).newValue)
    }

    static func < (lhs: Self, rhs: Self) -> Bool { lhs.number < rhs.number }

    var description: String { "request \(number)" }
}
