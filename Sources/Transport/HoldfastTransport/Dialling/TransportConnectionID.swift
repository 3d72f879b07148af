import Synchronization

/// The number of a connection, unique within the process and never reused.
package struct TransportConnectionID: Hashable, Sendable, Comparable, CustomStringConvertible {
    private static let last = Atomic<UInt64>(0)

    package let number: UInt64

    package init(_ number: UInt64) {
        self.number = number
    }

    /// Returns a new unique number.
    static func next() -> TransportConnectionID {
        TransportConnectionID(last.add(1, ordering: .relaxed).newValue)
    }

    package static func < (lhs: Self, rhs: Self) -> Bool { lhs.number < rhs.number }

    package var description: String { "#\(number)" }
}
