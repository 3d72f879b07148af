import ChatWire

// What is due, and what follows from the state. Every turn ends here, whatever the event was, so that no event can be
// forgotten in one of its many paths.
extension ChatCore {
    /// When `.wake` is wanted, on the monotonic clock in nanoseconds. In the background never, but for the end of the
    /// grace that acknowledgements have.
    package var nextWake: Int64? {
        guard isForeground else { return presence.wake }
        let moments = [
            socket.wake, farewells.run?.deadline.monotonic, outbox.wake(window), session.wake, sync.wake,
            configurator.wake, transfers.wake(window, mayCall: mayCall), reading.wake, typing.wake, commits.wake,
            frames.wake, search.wake, surveys.wake, composer.wake,
        ]
        return moments.compactMap(\.self).filter { $0 < .max }.min()
    }

    /// Does everything that is due.
    mutating func expire(_ update: inout CoreUpdate) {
        guard isForeground else { return }
        let now = update.now
        perform(socket.expire(at: now, entropy: update.entropy.next(), rules), &update)
        perform(farewells.expire(at: now, currentUser: session.clientID), &update)
        perform(session.expire(at: now), &update)
        perform(outbox.expire(&window, at: now), &update)
        let mostLosses = configuration.messageRetryCount.value
        perform(outbox.overdue(frames.expire(at: now), mostLosses: mostLosses, &window), &update)
        sync.expire(at: now)
        if configurator.expire(at: now) { requestConfiguration(&update) }
        perform(transfers.expire(window, at: now), &update)
        typing.expire(at: now)
        perform(search.expire(at: now, searchConditions), &update)
        perform(reading.expire(window, at: now, isPossible: mayPoll), &update)
    }

    mutating func settle(_ update: inout CoreUpdate) {
        let graceIsOver = settleGrace(&update)
        settleSocket(&update)
        if graceIsOver { update.emit(.releaseProcess) }
        if isForeground, mayCall, let account = session.account {
            perform(sync.settle(window, firstPage: configuration.historyLoadingCount.value), &update)
            perform(transfers.startNext(for: account, in: window, at: update.now), &update)
        }
        if presence.isLooking, isForeground, session.isAuthorized { perform(reading.lookedAt(window), &update) }
        if socket.isReady, farewells.run == nil, isForeground {
            if !commits.isFailing, session.isAuthorized {
                perform(outbox.drain(&window, uploading: transfers.waitingMessages, at: update.now), &update)
            }
            perform(reading.sendMarks(of: window, isUnderWay: frames.awaitsReading), &update)
            perform(composer.tellDraft(at: update.now, interval: Int64(configuration.typingInterval.value)), &update)
        }
        socket.press(frameOnItsWay, at: update.now, rules)
        let isWatched = isForeground && presence.isLooking && dialog.phase == .active && session.isAuthorized
        outbox.settleTick(isWatched: isWatched, at: update.now)
        configurator.settleHours(at: update.now, serverClock)
        surveys.settle(in: window, at: update.now, serverClock)
        if session.isAuthorized { perform(reading.tell(window), &update) }
        perform(screenComposer.settle(sources), &update)
    }

    /// Whether there ought to be a socket now.
    func wish(backlogIsFull: Bool) -> SocketWish {
        let mayBeOpen = isForeground || presence.hasGrace
        if farewells.run != nil { return mayBeOpen ? .open : .closed(.background) }
        if backlogIsFull { return .closed(.storeFailed) }
        if presence.hasGrace, session.isAuthorized { return .open }
        return presence.conditions(
            isAuthorized: session.isAuthorized, hasDeviceAddress: session.deviceAddress != nil, configuration
        ).wish
    }

    private mutating func settleSocket(_ update: inout CoreUpdate) {
        update.flush()
        let backlogIsFull = CommitLedger.isBacklogFull(update)
        let wish = wish(backlogIsFull: backlogIsFull)
        if isForeground, farewells.run == nil, !backlogIsFull { presence.noteWish(wish) }
        // With a token that is known to be refused no socket is opened; one that is open may still serve.
        if farewells.run == nil, session.isAuthorized, !mayCall, socket.live == nil, wish.isOpen {
            perform(socket.halt(.unauthorized), &update)
        } else {
            perform(socket.settle(wish, at: update.now, rules), &update)
        }
    }
}
