/// Identifies an attempt to open a socket. Later attempts have higher numbers. Events of any other generation than the
/// current one are dropped.
package struct Generation: Hashable, Sendable, Comparable {
    package var number: UInt64

    package init(_ number: UInt64) {
        self.number = number
    }

    package static func < (left: Generation, right: Generation) -> Bool { left.number < right.number }
}
