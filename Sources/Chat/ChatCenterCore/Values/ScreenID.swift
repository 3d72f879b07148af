/// One chat screen. The newest one receives events, the older ones are deaf.
package struct ScreenID: Hashable, Sendable {
    package var number: UInt64

    package init(_ number: UInt64) {
        self.number = number
    }
}
