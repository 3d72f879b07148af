/// A moment to come, on both clocks: the monotonic one arms the timer, the wall clock's survives the process.
package struct Deadline: Hashable, Sendable {
    package var monotonic: Int64
    package var wall: Int64

    package init(monotonic: Int64, wall: Int64) {
        self.monotonic = monotonic
        self.wall = wall
    }

    /// Passed on the clock that counts within one process.
    func hasPassed(_ now: Moment) -> Bool { now.monotonic >= monotonic }
}
