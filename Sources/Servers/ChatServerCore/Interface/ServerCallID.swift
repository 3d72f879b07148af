/// One REST call, to tell its answer from others.
package struct ServerCallID: Hashable, Sendable {
    package let number: UInt64

    package init(_ number: UInt64) {
        self.number = number
    }
}
