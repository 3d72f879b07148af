/// A point in time, in integers for exact reproducibility.
package struct ServerMoment: Hashable, Sendable {
    /// Nanoseconds of a clock that never goes back, for deadlines.
    package var monotonic: Int64
    /// Milliseconds since 1970, for the dates of messages.
    package var wall: Int64

    package init(monotonic: Int64, wall: Int64) {
        self.monotonic = monotonic
        self.wall = wall
    }
}
