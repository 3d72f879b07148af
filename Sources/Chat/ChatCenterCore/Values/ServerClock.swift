/// The clock of the server, as far as it is known: how far it is ahead of this device's.
struct ServerClock: Hashable, Sendable {
    /// Milliseconds.
    private var offset: Int64 = 0

    /// The server said what time it is there.
    mutating func note(_ milliseconds: Int64, at now: Moment) {
        offset = milliseconds.saturatingAdd(0 &- now.wall)
    }

    /// The time on the server.
    func time(at now: Moment) -> Int64 { now.wall.saturatingAdd(offset) }

    /// The time on the monotonic clock at which the server's clock shows `milliseconds`; never the present one.
    func moment(ofServerTime milliseconds: Int64, after now: Moment) -> Int64 {
        let left = milliseconds.saturatingAdd(0 &- time(at: now))
        return now.after(milliseconds: max(1, left)).monotonic
    }
}
