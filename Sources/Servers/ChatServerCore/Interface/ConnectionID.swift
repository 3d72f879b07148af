/// The id of a socket connection. The driver never uses a number twice, so that events of closed connections are
/// recognized.
package struct ConnectionID: Hashable, Sendable, Comparable {
    package let number: UInt64

    package init(_ number: UInt64) {
        self.number = number
    }

    package static func < (left: ConnectionID, right: ConnectionID) -> Bool { left.number < right.number }
}
