/// When something happens: integers, so that two runs agree to the last digit.
package struct ServerMoment: Hashable, Sendable {
    /// Nanoseconds of a clock that never goes back; deadlines are measured with it.
    package var monotonic: Int64
    /// Milliseconds since 1970; what messages are dated with.
    package var wall: Int64

    package init(monotonic: Int64, wall: Int64) {
        self.monotonic = monotonic
        self.wall = wall
    }
}
