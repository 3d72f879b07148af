import ChatWire

// Deadlines and the consequences of the current state. Every turn ends here, whatever its event was, so that no code
// path can omit this step.
extension ChatCore {
    /// The time of the next `.wake`, on the monotonic clock in nanoseconds. In the background it is `nil`, except for
    /// the end of the grace period for acknowledgements.
    package var nextWake: Int64? { alarm.at }

    /// `nextWake`, and the nanoseconds by which it may be late. The driver then wakes several chats together.
    package var alarm: (at: Int64?, tolerance: Int64) {
        guard isForeground else { return (presence.wake, 0) }
        let moments = [
            farewells.run?.deadline.monotonic, session.wake, configurator.wake, commits.wake, frames.wake,
            conversation.wake(mayCall: mayCall),
        ]
        let other = moments.reduce(.max) { min($0, $1 ?? .max) }
        let next = min(socket.wake ?? .max, other)
        return (next < .max ? next : nil, socket.wakeTolerance(rules, before: other))
    }

    /// Handles all expired deadlines.
    mutating func expire(_ update: inout CoreUpdate) {
        guard isForeground else { return }
        let now = update.now
        perform(socket.expire(at: now, entropy: update.entropy.next(), rules), &update)
        perform(farewells.expire(at: now, currentUser: session.clientID), &update)
        perform(session.expire(at: now), &update)
        perform(conversation.expireMessages(overdue: frames.expire(at: now), conditions(update)), &update)
        if configurator.expire(at: now) { requestConfiguration(&update) }
        perform(conversation.expire(conditions(update)), &update)
    }

    mutating func settle(_ update: inout CoreUpdate) {
        let graceIsOver = settleGrace(&update)
        settleSocket(&update)
        if graceIsOver { update.emit(.releaseProcess) }
        let now = update.now
        perform(conversation.settleCalls(conditions(update)), &update)
        let actions = conversation.settle(
            isStoreFailing: commits.isFailing, awaitsReading: frames.awaitsReading, conditions(update))
        perform(actions, &update)
        socket.press(socket.isReady ? frames.newestFrame(where: conversation.isSending) : nil, at: now, rules)
        configurator.settleHours(at: now, serverClock)
        perform(screenComposer.settle(sources), &update)
    }

    private mutating func settleSocket(_ update: inout CoreUpdate) {
        update.flush()
        let backlogIsFull = CommitLedger.isBacklogFull(update)
        let wish = presence.wish(
            isFarewell: farewells.run != nil, backlogIsFull: backlogIsFull, isAuthorized: session.isAuthorized,
            hasDeviceAddress: session.deviceAddress != nil, configuration)
        if isForeground, farewells.run == nil, !backlogIsFull { presence.noteWish(wish) }
        // While the token is known to be refused, no socket is opened. An open socket may still work.
        if farewells.run == nil, session.isAuthorized, !mayCall, socket.live == nil, wish.isOpen {
            perform(socket.halt(.unauthorized), &update)
        } else {
            perform(socket.settle(wish, at: update.now, rules), &update)
        }
    }
}
