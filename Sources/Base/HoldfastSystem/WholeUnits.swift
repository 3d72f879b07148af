/// Durations in whole units, for clocks and protocols that count in `Int64`.
extension Duration {
    /// The whole milliseconds, rounded toward zero. A duration beyond the range becomes its limit.
    package var wholeMilliseconds: Int64 { whole(unitsPerSecond: 1_000) }

    /// The whole microseconds, rounded toward zero. A duration beyond the range becomes its limit.
    package var wholeMicroseconds: Int64 { whole(unitsPerSecond: 1_000_000) }

    /// The whole nanoseconds, rounded toward zero. A duration beyond the range becomes its limit.
    package var wholeNanoseconds: Int64 { whole(unitsPerSecond: 1_000_000_000) }

    private func whole(unitsPerSecond units: Int64) -> Int64 {
        let (seconds, attoseconds) = components
        let (whole, isTooFar) = seconds.multipliedReportingOverflow(by: units)
        // Both parts have the same sign.
        let (sum, isBeyond) = whole.addingReportingOverflow(attoseconds / (1_000_000_000_000_000_000 / units))
        guard isTooFar || isBeyond else { return sum }
        return seconds < 0 ? .min : .max
    }
}
