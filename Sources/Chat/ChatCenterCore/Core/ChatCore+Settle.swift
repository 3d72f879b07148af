import ChatWire

// What follows from the state. Every turn ends here, whatever the event was, so that no event can be forgotten in one
// of its many paths.
extension ChatCore {
    mutating func settle(_ turn: inout CoreUpdate) {
        let graceIsOver = settleGrace(&turn)
        settleSocket(&turn)
        if graceIsOver { turn.emit(.releaseProcess) }
        if isForeground, mayCall {
            perform(sync.settle(window, firstPage: configuration.historyLoadingCount.value), &turn)
        }
        if isForeground, mayCall, let account = session.account {
            perform(transfers.startNext(for: account, in: window, at: turn.now), &turn)
        }
        if presence.isLooking, isForeground, session.isAuthorized { perform(reading.lookedAt(window), &turn) }
        if socket.isReady, farewells.run == nil, isForeground {
            if !commits.isFailing, session.isAuthorized {
                perform(outbox.drain(&window, uploading: transfers.waitingMessages, at: turn.now), &turn)
            }
            perform(reading.sendMarks(of: window, isUnderWay: frames.awaitsReading), &turn)
            perform(composer.tellDraft(at: turn.now, interval: Int64(configuration.typingInterval.value)), &turn)
        }
        socket.press(frameOnItsWay, at: turn.now, rules)
        let isWatched = isForeground && presence.isLooking && dialog.phase == .active && session.isAuthorized
        outbox.settleTick(isWatched: isWatched, at: turn.now)
        configurator.settleHours(at: turn.now, serverClock)
        surveys.settle(in: window, at: turn.now, serverClock)
        if session.isAuthorized { perform(reading.tell(window), &turn) }
        publish(&turn)
    }

    /// Whether there ought to be a socket now.
    func wish(backlogIsFull: Bool) -> SocketWish {
        let mayBeOpen = isForeground || presence.hasGrace
        if farewells.run != nil { return mayBeOpen ? .open : .closed(.background) }
        if backlogIsFull { return .closed(.storeFailed) }
        if presence.hasGrace, session.isAuthorized { return .open }
        let conditions = presence.conditions(
            isAuthorized: session.isAuthorized, hasDeviceAddress: session.deviceAddress != nil, configuration)
        return conditions.wish
    }

    private mutating func settleSocket(_ turn: inout CoreUpdate) {
        turn.flush()
        let backlogIsFull = CommitLedger.isBacklogFull(turn)
        let wish = wish(backlogIsFull: backlogIsFull)
        if isForeground, farewells.run == nil, !backlogIsFull { presence.noteWish(wish) }
        // With a token that is known to be refused no socket is opened; one that is open may still serve.
        if farewells.run == nil, session.isAuthorized, !mayCall, socket.live == nil, wish.isOpen {
            perform(socket.halt(.unauthorized), &turn)
        } else {
            perform(socket.settle(wish, at: turn.now, rules), &turn)
        }
    }

}
