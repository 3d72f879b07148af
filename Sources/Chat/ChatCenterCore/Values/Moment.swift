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
