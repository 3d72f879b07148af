/// The number of a connection: unique within the process, and never used twice.
package struct ConnectionID: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let number: UInt64

    package init(_ number: UInt64) {
        self.number = number
    }

    package static func < (lhs: Self, rhs: Self) -> Bool { lhs.number < rhs.number }

    package var description: String { "#\(number)" }
}
