package import NIOCore

extension TimeAmount {
    /// Makes a time amount from a duration. Negative durations become zero; durations above one hundred years become
    /// one hundred years.
    package init(clamping duration: Duration) {
        let (seconds, attoseconds) = duration.components
        guard seconds >= 0, attoseconds >= 0 else {
            self = .zero
            return
        }
        // One hundred years in nanoseconds fit into 64 bits and leave room for the start time of a deadline.
        self = seconds > 3_155_760_000 ? .hours(876_600) : .seconds(seconds) + .nanoseconds(attoseconds / 1_000_000_000)
    }
}
