/// One attempt at a socket. A higher number is a later attempt; events that carry another one than the current are
/// dropped.
package struct Generation: Hashable, Sendable, Comparable {
    package var number: UInt64

    package init(_ number: UInt64) {
        self.number = number
    }

    package static func < (left: Generation, right: Generation) -> Bool { left.number < right.number }
}
