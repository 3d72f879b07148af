import ChatWire

// Logging out: the user's data goes at once, then the server is told that this device is his no more.
extension ChatCore {
    /// Whether a logout is being reported to the server, on the socket or over REST.
    package var isTellingFarewell: Bool { farewells.run != nil || !calls.reportedFarewells.isEmpty }

    mutating func logout(_ ticket: Ticket, _ turn: inout CoreUpdate) {
        guard session.isAuthorized else {
            turn.emit(.notify(.loggedOut(ticket, .notAuthorized)))
            return
        }
        perform(session.supersede(), &turn)
        leave(ticket: ticket, &turn)
    }

    /// Wipes the user and begins to tell the server. The row that says so holds neither token nor data.
    mutating func leave(ticket: Ticket?, _ turn: inout CoreUpdate) {
        guard let user = session.user, let account = session.account else { return }
        endFarewell(.localOnlyPending, &turn)
        // The store first, and as a whole: whatever is let go after it is a crash away from being needed.
        turn.save(.erase, of: user.clientID)
        let farewell = account.deviceAddress.map { Farewell(clientID: user.clientID, deviceAddress: $0) }
        if let farewell { turn.save(.farewell(farewell), of: user.clientID) }
        forgetUser(&turn)
        guard let farewell else {
            // The server never knew this device.
            perform(socket.close(.loggedOut), &turn)
            if let ticket { tellLoggedOut(ticket, .server, &turn) }
            return
        }
        let run = FarewellRun(
            ticket: ticket, farewell: farewell, user: user, credentials: account.credentials,
            deadline: turn.now.after(milliseconds: FarewellMachine.time))
        let mayUseSocket = isForeground || (presence.hasGrace && socket.isReady)
        perform(farewells.start(run, mayUseSocket: mayUseSocket, isSocketReady: socket.isReady), &turn)
    }

    /// Ends the attempt on the socket, if there is one.
    mutating func endFarewell(_ outcome: LogoutOutcome, _ turn: inout CoreUpdate) {
        perform(farewells.end(outcome, currentUser: session.clientID), &turn)
    }

    mutating func retryFarewells(_ turn: inout CoreUpdate) {
        if isForeground { perform(farewells.reportPending(), &turn) }
    }

}
