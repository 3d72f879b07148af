// Background and foreground.
//
// In the background the socket is closed whatever the settings say, and no timer runs. The one exception has an end: a
// socket on which an acknowledgement is under way stays until it came, at most for `backgroundGrace`, so that the
// outcome of a message need not be looked up later. Nothing new is begun meanwhile.
extension ChatCore {
    /// How long acknowledgements may keep the socket in the background, in milliseconds. Well below what the platforms
    /// grant.
    package static let backgroundGrace: Int64 = 5000

    /// When the socket is closed in the background at the latest, on the monotonic clock; `nil` when it is closed, or
    /// the application is in the foreground. The one timer that there can be in the background.
    package var backgroundDeadline: Int64? { grace?.monotonic }

    /// A dialog that is over does not bring the socket back.
    mutating func enteredBackground(_ turn: inout Turn) {
        guard isForeground else { return }
        isForeground = false
        composer.dropDraft()
        if stage.visible == nil, dialog.phase == .ended { latches.dialogEndedAtClose = true }
        var end = turn.now.after(milliseconds: Self.backgroundGrace)
        // A logout has no more time for its socket than in the foreground.
        if let limit = farewells.run?.deadline, limit.monotonic < end.monotonic { end = limit }
        if socket.isReady, frames.awaitsAcknowledgement, !end.hasPassed(turn.now) {
            grace = end
            let time = end.monotonic.saturatingAdd(999_999 - turn.now.monotonic) / 1_000_000
            turn.emit(.holdProcess(milliseconds: time))
        } else if farewells.run != nil {
            endFarewell(.localOnlyPending, &turn)
        }
    }

    /// Ends the grace when nothing is owed any more, its time is over or the socket is gone; true when it ended now.
    mutating func settleGrace(_ turn: inout Turn) -> Bool {
        guard let end = grace else { return false }
        guard isForeground || !socket.isReady || !frames.awaitsAcknowledgement || end.hasPassed(turn.now) else {
            return false
        }
        grace = nil
        if !isForeground, farewells.run != nil { endFarewell(.localOnlyPending, &turn) }
        return true
    }

    /// What is due by the wall clock is judged, what was missed is fetched, the counter is asked for. A socket that is
    /// still there may have died meanwhile, and is asked.
    mutating func enteredForeground(_ turn: inout Turn) {
        guard !isForeground else { return }
        isForeground = true
        perform(outbox.judgeByWallClock(&window, at: turn.now), &turn)
        socket.forgetFailures()
        socket.doubt(at: turn.now)
        tryAgainSoon(&turn)
        guard session.isAuthorized else { return }
        wantGap()
        requestMissingConfiguration(&turn)
        perform(reading.poll(window, at: turn.now, isPossible: mayPoll), &turn)
    }
}
