import ChatWire

// The server's clock, and what depends on the time of day.
extension ChatCore {
    /// The time on the server, as far as it can be told.
    func serverTime(_ now: Moment) -> Int64 { now.wall.saturatingAdd(clockOffset) }

    /// The server said what time it is there.
    mutating func noteServerTime(_ milliseconds: Int64, _ now: Moment) {
        clockOffset = milliseconds.saturatingAdd(0 &- now.wall)
    }

    /// A moment on the monotonic clock at which the server's clock shows `milliseconds`; never the present one.
    func wake(atServerTime milliseconds: Int64, _ now: Moment) -> Int64 {
        let left = milliseconds.saturatingAdd(0 &- serverTime(now))
        return now.after(milliseconds: max(1, left)).monotonic
    }

    /// Whether the company is there, and when that changes.
    mutating func settleHours(_ now: Moment) {
        guard let schedule = remote?.schedule else {
            stage.isOutOfHours = false
            stage.hoursChangeAt = nil
            return
        }
        let time = serverTime(now)
        stage.isOutOfHours = !schedule.isOpen(at: time)
        stage.hoursChangeAt = schedule.untilChange(at: time).map { now.after(milliseconds: max(1, $0)).monotonic }
    }
}
