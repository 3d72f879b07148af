package import NIOCore

extension TimeAmount {
    /// A duration in NIO's unit, clamped to what the type can hold; negative durations become zero.
    package init(clamping duration: Duration) {
        let (seconds, attoseconds) = duration.components
        guard seconds >= 0, attoseconds >= 0 else {
            self = .zero
            return
        }
        // A hundred years fit into the 64 bits of nanoseconds, with room to add a deadline's start.
        self = seconds > 3_155_760_000 ? .hours(876_600) : .seconds(seconds) + .nanoseconds(attoseconds / 1_000_000_000)
    }
}
