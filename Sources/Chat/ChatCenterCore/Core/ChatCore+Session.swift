import ChatWire

// Who is authorised: authorize, deauthorize, the token.
extension ChatCore {
    mutating func authorize(
        _ user: UserIdentity, _ credentials: WireCredentials, _ restored: PersistedChat, _ turn: inout CoreUpdate
    ) {
        guard !user.clientID.isEmpty else {
            turn.emit(.notify(.authorized(.failure(.emptyIdentifier))))
            return
        }
        if session.clientID == user.clientID {
            reauthorize(user, credentials, &turn)
            return
        }
        // This has to be read before `leave`, whose commit carries out the pending erasure.
        let isErased = turn.isErasing(user.clientID)
        if session.isAuthorized { leave(ticket: nil, &turn) }
        begin(user, credentials, isErased ? .empty : restored, &turn)
    }

    /// The same user and token: nothing happens. Another token, or the one that was refused and is to be tried again: it
    /// is used from now on and everything is asked anew.
    private mutating func reauthorize(
        _ user: UserIdentity, _ credentials: WireCredentials, _ turn: inout CoreUpdate
    ) {
        guard !session.isCurrent(user, credentials) else {
            perform(session.repeatOutcome(), &turn)
            return
        }
        session.beginAgain(user, credentials)
        cancelCalls(&turn)
        socket.resume()
        turn.emit(.notify(.unread(0)))
        reading.toldNothing()
        requestConfiguration(&turn)
        wantGap()
    }

    private mutating func begin(
        _ user: UserIdentity, _ credentials: WireCredentials, _ restored: PersistedChat, _ turn: inout CoreUpdate
    ) {
        session.begin(user, credentials, deviceAddress: restored.deviceAddress)
        presence.forgetUser()
        // The user is back before the server could be told that he left: nothing is left to tell.
        perform(farewells.cameBack(user.clientID, hasRow: restored.farewell != nil), &turn)
        restore(restored, turn.now)
        turn.emit(.notify(.unread(0)))
        reading.forgetUser()
        reading.schedulePoll(at: turn.now)
        perform(configurator.apply(), &turn)
        requestConfiguration(&turn)
        wantGap()
    }

    /// Takes over what the store holds. Deadlines are put on this process's monotonic clock; what was on its way is
    /// unconfirmed now.
    private mutating func restore(_ restored: PersistedChat, _ now: Moment) {
        let messages = outbox.restore(
            restored.messages, longestHold: Int64(configuration.surveyCompletionDelay.value), at: now)
        window.reset(to: messages, storeHasOlder: restored.hasOlder)
        transfers.restore(restored.attachments)
        dialog.restore(restored.dialog, window.messages)
        configurator.restore(restored.configuration)
        sync.restore(cursor: restored.cursor, window)
    }

    mutating func deauthorize(_ turn: inout CoreUpdate) {
        guard let user = session.clientID else { return }
        perform(session.supersede(), &turn)
        turn.save(.erase, of: user)
        forgetUser(&turn)
        perform(socket.close(.loggedOut), &turn)
    }

    /// Nothing of the user stays in memory. Whoever waits for an answer gets one.
    mutating func forgetUser(_ turn: inout CoreUpdate) {
        cancelCalls(&turn)
        perform(transfers.forgetUser(), &turn)
        session.forgetUser()
        window.reset()
        outbox.forgetUser()
        dialog.forgetUser()
        sync.forgetUser()
        typing = TypingIndicator()
        composer = Composer()
        reading.forgetUser()
        presence.forgetUser()
        search = SearchMachine()
        surveys.forgetUser()
        screenComposer.forgetUser()
        perform(configurator.forgetUser(), &turn)
    }

    // MARK: The token

    /// The server refused what was made with these credentials. Returns whether another token is, or will be, there to
    /// try it again with.
    mutating func tokenRefused(
        _ credentials: WireCredentials?, _ refusal: ServerRefusal, byFileStore: Bool = false, _ turn: inout CoreUpdate
    ) -> Bool {
        let (isRetried, actions) = session.tokenRefused(
            credentials, refusal, byFileStore: byFileStore, at: turn.now, numbers: &numbers)
        perform(actions, &turn)
        return isRetried
    }

    /// The host application was asked for a token and has not answered yet.
    package func isAsking(_ attempt: TokenAttempt) -> Bool { session.isAsking(attempt) }

}
