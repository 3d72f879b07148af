/// Identifies an outgoing frame.
package struct FrameID: Hashable, Sendable {
    package var number: UInt64

    package init(_ number: UInt64) {
        self.number = number
    }
}
