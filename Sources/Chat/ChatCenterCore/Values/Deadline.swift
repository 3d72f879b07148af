/// A point in the future on both clocks. The monotonic time sets the timer; the wall-clock time remains valid after a
/// restart.
package struct Deadline: Hashable, Sendable {
    package var monotonic: Int64
    package var wall: Int64

    package init(monotonic: Int64, wall: Int64) {
        self.monotonic = monotonic
        self.wall = wall
    }

    /// Returns whether the deadline has passed on the monotonic clock, which is valid within one process.
    func hasPassed(_ now: Moment) -> Bool { now.monotonic >= monotonic }
}
