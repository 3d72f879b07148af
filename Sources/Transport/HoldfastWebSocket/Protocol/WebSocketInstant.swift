/// A reading of a monotonic clock. The protocol reads no clock itself; every event contains an instant.
package struct WebSocketInstant: Hashable, Comparable, Sendable {
    /// Nanoseconds since an arbitrary origin.
    package var nanoseconds: Int64

    package init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    package static func < (lhs: Self, rhs: Self) -> Bool { lhs.nanoseconds < rhs.nanoseconds }

    /// Returns the instant `duration` later, clamped to the range of the type.
    package func advanced(by duration: Duration) -> Self {
        let (seconds, attoseconds) = duration.components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return Self(nanoseconds: seconds < 0 ? .min : .max) }
        let (total, tooFar) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
        guard !tooFar else { return Self(nanoseconds: seconds < 0 ? .min : .max) }
        let (sum, beyond) = nanoseconds.addingReportingOverflow(total)
        return Self(nanoseconds: beyond ? (total < 0 ? .min : .max) : sum)
    }

    /// Returns the duration from this instant to `other`.
    package func duration(to other: Self) -> Duration {
        let (difference, overflow) = other.nanoseconds.subtractingReportingOverflow(nanoseconds)
        return .nanoseconds(overflow ? (other > self ? .max : .min) : difference)
    }
}
