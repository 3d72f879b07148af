/// Whether the other side types, and who does.
struct TypingIndicator: Hashable, Sendable {
    /// The name of who types, if it is known.
    private(set) var name: String?
    /// The other side has stopped when nothing is heard until then, on the monotonic clock.
    private(set) var wake: Int64?

    /// The other side types.
    var isOn: Bool { wake != nil }

    /// The other side types. It has stopped when nothing is heard for two intervals, in milliseconds.
    mutating func heard(_ name: String?, at now: Moment, interval: Int64) {
        self.name = name
        wake = now.after(milliseconds: interval * 2).monotonic
    }

    /// The other side has stopped, or cannot be heard any more.
    mutating func stop() {
        wake = nil
        name = nil
    }

    /// Does what is due.
    mutating func expire(at now: Moment) {
        if let wake, wake <= now.monotonic { stop() }
    }
}
