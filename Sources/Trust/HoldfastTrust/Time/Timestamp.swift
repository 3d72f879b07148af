/// An instant, in whole seconds since 1970-01-01T00:00:00Z.
///
/// Every trust decision takes its time as a parameter of this type: nothing in a decision reads a clock. An integer
/// and not a floating-point number, so that no value can trap or lose a second.
public struct Timestamp: Hashable, Comparable, Sendable {
    /// Seconds since 1970-01-01T00:00:00Z; negative before it.
    public var secondsSince1970: Int64

    /// Makes an instant from seconds since 1970-01-01T00:00:00Z.
    public init(secondsSince1970: Int64) {
        self.secondsSince1970 = secondsSince1970
    }

    public static func < (lhs: Timestamp, rhs: Timestamp) -> Bool {
        lhs.secondsSince1970 < rhs.secondsSince1970
    }

    /// The instant `seconds` later, clamped to what the type can hold.
    public func advanced(bySeconds seconds: Int64) -> Timestamp {
        let (sum, overflow) = secondsSince1970.addingReportingOverflow(seconds)
        return Timestamp(secondsSince1970: overflow ? (seconds < 0 ? .min : .max) : sum)
    }
}
