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
