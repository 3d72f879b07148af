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

/// The number of a dial within one pool.
struct DialID: Hashable, Sendable, Comparable {
    let number: UInt64

    static func < (lhs: Self, rhs: Self) -> Bool { lhs.number < rhs.number }
}
