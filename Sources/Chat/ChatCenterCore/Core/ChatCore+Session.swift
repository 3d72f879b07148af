import ChatWire

// The authorized user: authorize, logout, deauthorize and the token.
extension ChatCore {
    mutating func authorize(
        _ user: UserIdentity, _ credentials: WireCredentials, _ restored: PersistedChat, _ update: inout CoreUpdate
    ) {
        guard !user.clientID.isEmpty else { return update.emit(.notify(.authorized(.failure(.emptyIdentifier)))) }
        if session.clientID == user.clientID { return reauthorize(user, credentials, &update) }
        // This has to be read before `leave`, whose commit carries out the pending erasure.
        let isErased = update.isErasing(user.clientID)
        if session.isAuthorized { leave(ticket: nil, &update) }
        begin(user, credentials, isErased ? .empty : restored, &update)
    }

    /// Authorizes the same user again. With the same token, nothing happens. With another token, or with the refused
    /// one that must be tried again, the token is used from now on and all data is requested again.
    private mutating func reauthorize(
        _ user: UserIdentity, _ credentials: WireCredentials, _ update: inout CoreUpdate
    ) {
        guard !session.isCurrent(user, credentials) else { return perform(session.repeatOutcome(), &update) }
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
        // The user returned before the logout was reported, so it is not reported any more.
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
        guard session.isAuthorized else { return update.emit(.notify(.loggedOut(ticket, .notAuthorized))) }
        perform(session.supersede(), &update)
        leave(ticket: ticket, &update)
    }

    /// Deletes the user's data and starts reporting the logout. The stored row of the logout contains neither a token
    /// nor user data.
    mutating func leave(ticket: Ticket?, _ update: inout CoreUpdate) {
        guard let user = session.user, let account = session.account else { return }
        endFarewell(.localOnlyPending, &update)
        // The erasure is stored first and as a whole: state that is released before it would be missing after a crash.
        update.save(.erase, of: user.clientID)
        let farewell = account.deviceAddress.map { Farewell(clientID: user.clientID, deviceAddress: $0) }
        if let farewell { update.save(.farewell(farewell), of: user.clientID) }
        forgetUser(&update)
        guard let farewell else {
            // The server has no address for this device, so there is nothing to report.
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

    /// Ends the attempt to report a logout on the socket, if there is one.
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

    /// Deletes the user's data from memory and fails all pending requests.
    mutating func forgetUser(_ update: inout CoreUpdate) {
        cancelCalls(&update)
        perform(conversation.forgetUser(), &update)
        session.forgetUser()
        presence.forgetUser()
        screenComposer.forgetUser()
        perform(configurator.forgetUser(), &update)
    }

    // MARK: The token

    /// Handles the refusal of these credentials. Returns whether there is or will be another token for a retry.
    mutating func tokenRefused(
        _ credentials: WireCredentials?, _ refusal: ServerRefusal, byFileStore: Bool = false, _ update: inout CoreUpdate
    ) -> Bool {
        let (isRetried, actions) = session.tokenRefused(
            credentials, refusal, byFileStore: byFileStore, at: update.now, numbers: &numbers)
        perform(actions, &update)
        return isRetried
    }
}
