/// Identifies a chat screen. Only the newest screen receives events.
package struct ScreenID: Hashable, Sendable {
    package var number: UInt64

    package init(_ number: UInt64) {
        self.number = number
    }
}
