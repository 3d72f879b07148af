import ChatWire

// Who is authorised: authorize, logout, deauthorize, the token.
extension ChatCore {
    mutating func authorize(
        _ user: UserIdentity, _ credentials: WireCredentials, _ restored: PersistedChat, _ update: inout CoreUpdate
    ) {
        guard !user.clientID.isEmpty else {
            update.emit(.notify(.authorized(.failure(.emptyIdentifier))))
            return
        }
        if session.clientID == user.clientID {
            reauthorize(user, credentials, &update)
            return
        }
        // This has to be read before `leave`, whose commit carries out the pending erasure.
        let isErased = update.isErasing(user.clientID)
        if session.isAuthorized { leave(ticket: nil, &update) }
        begin(user, credentials, isErased ? .empty : restored, &update)
    }

    /// The same user and token: nothing happens. Another token, or the one that was refused and is to be tried again: it
    /// is used from now on and everything is asked anew.
    private mutating func reauthorize(
        _ user: UserIdentity, _ credentials: WireCredentials, _ update: inout CoreUpdate
    ) {
        guard !session.isCurrent(user, credentials) else {
            perform(session.repeatOutcome(), &update)
            return
        }
        session.beginAgain(user, credentials)
        cancelCalls(&update)
        socket.resume()
        update.emit(.notify(.unread(0)))
        conversation.toldNothing()
        requestConfiguration(&update)
        wantGap()
    }

    private mutating func begin(
        _ user: UserIdentity, _ credentials: WireCredentials, _ restored: PersistedChat, _ update: inout CoreUpdate
    ) {
        session.begin(user, credentials, deviceAddress: restored.deviceAddress)
        presence.forgetUser()
        // The user is back before the server could be told that he left: nothing is left to tell.
        perform(farewells.cameBack(user.clientID, hasRow: restored.farewell != nil), &update)
        conversation.restore(restored, conditions(update))
        configurator.restore(restored.configuration)
        update.emit(.notify(.unread(0)))
        perform(configurator.apply(), &update)
        requestConfiguration(&update)
        wantGap()
    }

    // MARK: Leaving

    mutating func logout(_ ticket: Ticket, _ update: inout CoreUpdate) {
        guard session.isAuthorized else {
            update.emit(.notify(.loggedOut(ticket, .notAuthorized)))
            return
        }
        perform(session.supersede(), &update)
        leave(ticket: ticket, &update)
    }

    /// Wipes the user and begins to tell the server. The row that says so holds neither token nor data.
    mutating func leave(ticket: Ticket?, _ update: inout CoreUpdate) {
        guard let user = session.user, let account = session.account else { return }
        endFarewell(.localOnlyPending, &update)
        // The store first, and as a whole: whatever is let go after it is a crash away from being needed.
        update.save(.erase, of: user.clientID)
        let farewell = account.deviceAddress.map { Farewell(clientID: user.clientID, deviceAddress: $0) }
        if let farewell { update.save(.farewell(farewell), of: user.clientID) }
        forgetUser(&update)
        guard let farewell else {
            // The server never knew this device.
            perform(socket.close(.loggedOut), &update)
            if let ticket { commits.tellOutcome(.loggedOut(ticket, .server), &update) }
            return
        }
        let run = FarewellRun(
            ticket: ticket, farewell: farewell, user: user, credentials: account.credentials,
            deadline: update.now.after(milliseconds: FarewellMachine.time))
        let mayUseSocket = isForeground || (presence.hasGrace && socket.isReady)
        perform(farewells.start(run, mayUseSocket: mayUseSocket, isSocketReady: socket.isReady), &update)
    }

    /// Ends the attempt on the socket, if there is one.
    mutating func endFarewell(_ outcome: LogoutOutcome, _ update: inout CoreUpdate) {
        perform(farewells.end(outcome, currentUser: session.clientID), &update)
    }

    mutating func deauthorize(_ update: inout CoreUpdate) {
        guard let user = session.clientID else { return }
        perform(session.supersede(), &update)
        update.save(.erase, of: user)
        forgetUser(&update)
        perform(socket.close(.loggedOut), &update)
    }

    /// Nothing of the user stays in memory. Whoever waits for an answer gets one.
    mutating func forgetUser(_ update: inout CoreUpdate) {
        cancelCalls(&update)
        perform(conversation.forgetUser(), &update)
        session.forgetUser()
        presence.forgetUser()
        screenComposer.forgetUser()
        perform(configurator.forgetUser(), &update)
    }

    // MARK: The token

    /// The server refused what was made with these credentials. Returns whether another token is, or will be, there to
    /// try it again with.
    mutating func tokenRefused(
        _ credentials: WireCredentials?, _ refusal: ServerRefusal, byFileStore: Bool = false, _ update: inout CoreUpdate
    ) -> Bool {
        let (isRetried, actions) = session.tokenRefused(
            credentials, refusal, byFileStore: byFileStore, at: update.now, numbers: &numbers)
        perform(actions, &update)
        return isRetried
    }
}
