/// The typing state of the other side.
struct TypingIndicator: Hashable, Sendable {
    /// The name of the operator who types, if it is known.
    private(set) var name: String?
    /// The time when typing counts as stopped unless another notice arrives, on the monotonic clock.
    private(set) var wake: Int64?

    /// Whether the other side is typing.
    var isOn: Bool { wake != nil }

    /// Records a typing notice. It is valid for two intervals, in milliseconds.
    mutating func heard(_ name: String?, at now: Moment, interval: Int64) {
        self.name = name
        wake = now.after(milliseconds: interval * 2).monotonic
    }

    /// Records that typing stopped, or that notices can no longer arrive.
    mutating func stop() {
        wake = nil
        name = nil
    }

    /// Ends an expired typing state.
    mutating func expire(at now: Moment) {
        if let wake, wake <= now.monotonic { stop() }
    }
}
