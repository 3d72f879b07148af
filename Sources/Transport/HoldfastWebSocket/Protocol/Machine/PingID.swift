/// The number of a ping that waits for its pong.
package struct PingID: Hashable, Sendable, Comparable {
    package var number: UInt64

    package init(_ number: UInt64) {
        self.number = number
    }

    package static func < (lhs: Self, rhs: Self) -> Bool { lhs.number < rhs.number }

    /// What the ping carries: eight bytes, big-endian.
    var payload: [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }
}
