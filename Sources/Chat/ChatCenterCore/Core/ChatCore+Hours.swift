import ChatWire

// What depends on the time of day.
extension ChatCore {
    /// Whether the company is there, and when that changes.
    mutating func settleHours(_ now: Moment) {
        guard let schedule = remote?.schedule else {
            stage.isOutOfHours = false
            stage.hoursChangeAt = nil
            return
        }
        let time = serverClock.time(at: now)
        stage.isOutOfHours = !schedule.isOpen(at: time)
        stage.hoursChangeAt = schedule.untilChange(at: time).map { now.after(milliseconds: max(1, $0)).monotonic }
    }
}
