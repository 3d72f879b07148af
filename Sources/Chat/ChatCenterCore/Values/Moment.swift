/// The time of an event. The values are integers, so that a run can be reproduced exactly.
package struct Moment: Hashable, Sendable {
    /// Nanoseconds on a clock that never goes back and keeps running while the device sleeps.
    package var monotonic: Int64
    /// Milliseconds since 1970 on the device's clock, which can be wrong and can jump.
    package var wall: Int64

    package init(monotonic: Int64, wall: Int64) {
        self.monotonic = monotonic
        self.wall = wall
    }

    /// Returns the point on both clocks that is `milliseconds` later. Saturates instead of overflowing.
    func after(milliseconds: Int64) -> Deadline {
        Deadline(
            monotonic: monotonic.saturatingAdd(milliseconds.saturatingMultiply(1_000_000)),
            wall: wall.saturatingAdd(milliseconds))
    }
}

extension Int64 {
    func saturatingAdd(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other > 0 ? .max : .min) : sum
    }

    func saturatingMultiply(_ other: Int64) -> Int64 {
        let (product, overflow) = multipliedReportingOverflow(by: other)
        return overflow ? ((self > 0) == (other > 0) ? .max : .min) : product
    }
}

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

/// An estimate of the server's clock, as an offset from the device's clock.
struct ServerClock: Hashable, Sendable {
    /// Milliseconds.
    private var offset: Int64 = 0

    /// Records the server's current time.
    mutating func note(_ milliseconds: Int64, at now: Moment) {
        offset = milliseconds.saturatingAdd(0 &- now.wall)
    }

    /// Returns the current time on the server's clock.
    func time(at now: Moment) -> Int64 { now.wall.saturatingAdd(offset) }

    /// Returns the monotonic time at which the server's clock shows `milliseconds`, at least 1 ms after `now`.
    func moment(ofServerTime milliseconds: Int64, after now: Moment) -> Int64 {
        let left = milliseconds.saturatingAdd(0 &- time(at: now))
        return now.after(milliseconds: max(1, left)).monotonic
    }
}
