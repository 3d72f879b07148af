import ChatWire

// Logging out: the user's data goes at once, then the server is told that this device is his no more.
extension ChatCore {
    /// Whether a logout is being reported to the server, on the socket or over REST.
    package var isTellingFarewell: Bool { farewellRun != nil || calls.contains { $0.farewell != nil } }

    mutating func logout(_ ticket: Ticket, _ turn: inout Turn) {
        guard session != nil else {
            turn.emit(.notify(.loggedOut(ticket, .notAuthorized)))
            return
        }
        supersedeAuthorization(&turn)
        leave(ticket: ticket, &turn)
    }

    /// Wipes the user and begins to tell the server. The row that says so holds neither token nor data.
    mutating func leave(ticket: Ticket?, _ turn: inout Turn) {
        guard let current = session else { return }
        if farewellRun != nil { endFarewell(.localOnlyPending, &turn) }
        let user = current.user
        // The store first, and as a whole: whatever is let go after it is a crash away from being needed.
        turn.save(.erase, of: user.clientID)
        let farewell = current.deviceAddress.map { Farewell(clientID: user.clientID, deviceAddress: $0) }
        if let farewell { turn.save(.farewell(farewell), of: user.clientID) }
        forgetUser(&turn)
        guard let farewell else {
            // The server never knew this device.
            perform(socket.close(.loggedOut), &turn)
            if let ticket { tellLoggedOut(ticket, .server, &turn) }
            return
        }
        startFarewell(
            FarewellRun(
                ticket: ticket, farewell: farewell, user: user, credentials: current.credentials,
                deadline: turn.now.after(milliseconds: Self.farewellTime)), &turn)
    }

    private mutating func startFarewell(_ run: FarewellRun, _ turn: inout Turn) {
        farewellRun = run
        guard isForeground || (grace != nil && socket.isReady) else {
            endFarewell(.localOnlyPending, &turn)
            return
        }
        if socket.isReady {
            transmitFarewell(&turn)
        } else {
            // A handshake that was begun for the user would go on in his name: a new socket, or none.
            perform(socket.close(.loggedOut), &turn)
            socket.resume()
        }
    }

    /// CLIENT_OFFLINE on the live socket.
    mutating func transmitFarewell(_ turn: inout Turn) {
        guard let run = farewellRun else { return }
        let content = Content(
            .clientOffline, clientID: run.farewell.clientID, uuid: turn.entropy.uuid(), appMarker: settings.appMarker,
            apiVersion: settings.apiVersion)
        transmit(.sendMessage(content, deviceAddress: run.farewell.deviceAddress), for: .farewell, &turn)
    }

    mutating func endFarewell(_ outcome: LogoutOutcome, _ turn: inout Turn) {
        guard let run = farewellRun else { return }
        farewellRun = nil
        switch outcome {
        case .server:
            // The same user may be back already, with a store that is his again; the row is about the past one.
            turn.save(.farewell(nil), of: run.farewell.clientID)
        case .localOnlyPending:
            if session?.user.clientID != run.farewell.clientID { putOff(run, &turn) }
        case .notAuthorized: break
        }
        perform(socket.close(.loggedOut), &turn)
        if let ticket = run.ticket { tellLoggedOut(ticket, outcome, &turn) }
    }

    // MARK: Later

    /// A store of a past process holds a farewell. It has no token: the server is told without one, if it listens.
    mutating func foundFarewell(_ farewell: Farewell, _ turn: inout Turn) {
        guard !farewell.clientID.isEmpty, session?.user.clientID != farewell.clientID, !isLeaving(farewell.clientID)
        else { return }
        putOff(
            FarewellRun(
                ticket: nil, farewell: farewell, user: UserIdentity(clientID: farewell.clientID),
                credentials: WireCredentials(), deadline: turn.now.after(milliseconds: 0)), &turn)
        retryFarewells(&turn)
    }

    /// Whether a logout of this user still has to be reported to the server.
    private func isLeaving(_ clientID: String) -> Bool {
        farewellRun?.farewell.clientID == clientID || pendingFarewells.contains { $0.farewell.clientID == clientID }
            || calls.contains { $0.farewell?.farewell.clientID == clientID }
    }

    /// Keeps what could not be told for later. The list and the tries have an end: a server that never hears of it
    /// finds out when the device's pushes come back.
    private mutating func putOff(_ run: FarewellRun, _ turn: inout Turn) {
        guard run.tries < FarewellRun.mostTries else {
            turn.log(.error, "the server could not be told of a logout after \(run.tries) tries; it is left at that")
            turn.save(.farewell(nil), of: run.farewell.clientID)
            return
        }
        pendingFarewells.append(run)
        guard pendingFarewells.count > Self.longestFarewellList else { return }
        let oldest = pendingFarewells.removeFirst()
        turn.log(.error, "too many logouts wait for the server; the oldest one is given up")
        turn.save(.farewell(nil), of: oldest.farewell.clientID)
    }

    /// Reports pending logouts to the server: on foreground, after a change of the network, and when a process starts. REST
    /// alone is used, because no socket may be open for a user who logged out. There is no timer for it.
    mutating func retryFarewells(_ turn: inout Turn) {
        guard isForeground else { return }
        let runs = pendingFarewells
        pendingFarewells = []
        for var run in runs {
            run.ticket = nil
            run.tries += 1
            let id = CallID(numbers.next())
            calls.append(PendingCall(id: id, purpose: .farewell(run), credentials: run.credentials))
            let call = RESTCall(
                .deleteDevice, credentials: run.credentials, clientID: run.farewell.clientID,
                deviceAddress: run.farewell.deviceAddress)
            turn.emit(.network(.call(id, call)))
        }
    }

    /// Handles the answer to a report: on failure the report is retried later.
    mutating func farewellAnswered(
        _ run: FarewellRun, _ result: Result<RESTAnswer, TransportFailure>, _ turn: inout Turn
    ) {
        let clientID = run.farewell.clientID
        // The user logged in and out again: the stored row belongs to the newer logout.
        guard !isLeaving(clientID) else { return }
        if case .success(.deviceDeleted) = result {
            turn.save(.farewell(nil), of: clientID)
        } else if session?.user.clientID != clientID {
            turn.log(.error, "the server could not be told of a logout; it is tried again later")
            putOff(run, &turn)
        }
    }
}
