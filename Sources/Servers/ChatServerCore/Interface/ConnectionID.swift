/// One socket connection. The driver counts them up and never uses a number twice, so that an event about a connection
/// that is gone is recognised as such.
package struct ConnectionID: Hashable, Sendable, Comparable {
    package let number: UInt64

    package init(_ number: UInt64) {
        self.number = number
    }

    package static func < (left: ConnectionID, right: ConnectionID) -> Bool { left.number < right.number }
}
