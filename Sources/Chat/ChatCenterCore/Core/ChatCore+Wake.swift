// The one timer.
extension ChatCore {
    /// When `.wake` is wanted, on the monotonic clock in nanoseconds. In the background never, but for the end of the
    /// grace that acknowledgements have.
    package var nextWake: Int64? {
        guard isForeground else { return presence.wake }
        var next = Int64.max
        func consider(_ moment: Int64?) {
            if let moment { next = min(next, moment) }
        }
        consider(socket.wake)
        consider(farewells.run?.deadline.monotonic)
        consider(outbox.wake(window))
        consider(session.wake)
        consider(sync.wake)
        consider(configurator.wake)
        consider(transfers.wake(window, mayCall: mayCall))
        consider(reading.wake)
        consider(typing.wake)
        consider(commits.wake)
        consider(frames.wake)
        consider(search.wake)
        consider(surveys.wake)
        consider(composer.wake)
        return next == .max ? nil : next
    }

    /// Does everything that is due.
    mutating func expire(_ turn: inout CoreUpdate) {
        guard isForeground else { return }
        let now = turn.now
        perform(socket.expire(at: now, entropy: turn.entropy.next(), rules), &turn)
        perform(farewells.expire(at: now, currentUser: session.clientID), &turn)
        perform(session.expire(at: now), &turn)
        perform(outbox.expire(&window, at: now), &turn)
        let mostLosses = configuration.messageRetryCount.value
        perform(outbox.overdue(frames.expire(at: now), mostLosses: mostLosses, &window), &turn)
        sync.expire(at: now)
        if configurator.expire(at: now) { requestConfiguration(&turn) }
        perform(transfers.expire(window, at: now), &turn)
        typing.expire(at: now)
        perform(search.expire(at: now, searchConditions), &turn)
        perform(reading.expire(window, at: now, isPossible: mayPoll), &turn)
    }
}
