// Background and foreground.
extension ChatCore {
    /// How long acknowledgements may keep the socket in the background, in milliseconds.
    package static let backgroundGrace = PresenceMachine.longestGrace

    /// When the socket is closed in the background at the latest, on the monotonic clock; `nil` when it is closed, or
    /// the application is in the foreground. The one timer that there can be in the background.
    package var backgroundDeadline: Int64? { presence.wake }

    mutating func enteredBackground(_ turn: inout CoreUpdate) {
        guard presence.enteredBackground(dialogHasEnded: dialog.phase == .ended) else { return }
        composer.dropDraft()
        // A logout has no more time for its socket than in the foreground.
        let limit = farewells.run?.deadline
        if socket.isReady, frames.awaitsAcknowledgement,
            let time = presence.beginGrace(atMost: limit, at: turn.now)
        {
            turn.emit(.holdProcess(milliseconds: time))
        } else if farewells.run != nil {
            endFarewell(.localOnlyPending, &turn)
        }
    }

    /// Ends the grace when nothing is owed any more, its time is over or the socket is gone; true when it ended now.
    mutating func settleGrace(_ turn: inout CoreUpdate) -> Bool {
        let isNeeded = socket.isReady && frames.awaitsAcknowledgement
        guard presence.settleGrace(isNeeded: isNeeded, at: turn.now) else { return false }
        if !isForeground, farewells.run != nil { endFarewell(.localOnlyPending, &turn) }
        return true
    }

    /// What is due by the wall clock is judged, what was missed is fetched, the counter is asked for. A socket that is
    /// still there may have died meanwhile, and is asked.
    mutating func enteredForeground(_ turn: inout CoreUpdate) {
        guard presence.enteredForeground() else { return }
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
