import ChatWire

// Logging out: the user's data goes at once, then the server is told that this device is his no more.
extension ChatCore {
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
        stage.nextPrefill = nil
        guard let farewell else {
            // The server never knew this device.
            perform(socket.close(.loggedOut), &turn)
            if let ticket { tellLoggedOut(ticket, .server, &turn) }
            return
        }
        startFarewell(
            FarewellRun(
                ticket: ticket, farewell: farewell, user: user, credentials: current.credentials,
                deadline: turn.now.after(
                    milliseconds: settings.connectionTimeout.saturatingAdd(settings.sendTimeout))), &turn)
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
        let isKnown =
            session?.user.clientID == farewell.clientID || farewellRun?.farewell.clientID == farewell.clientID
            || pendingFarewells.contains { $0.farewell.clientID == farewell.clientID }
        guard !isKnown, !farewell.clientID.isEmpty else { return }
        putOff(
            FarewellRun(
                ticket: nil, farewell: farewell, user: UserIdentity(clientID: farewell.clientID),
                credentials: WireCredentials(), deadline: turn.now.after(milliseconds: 0)), &turn)
        retryFarewell(&turn)
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

    /// Tells the server of a user who left earlier, while nobody else needs the socket: in the foreground, after a
    /// change of the network, when a process starts. No timer is kept for it.
    mutating func retryFarewell(_ turn: inout Turn) {
        guard isForeground, farewellRun == nil, socket.live == nil, !pendingFarewells.isEmpty else { return }
        guard case .closed = conditions.wish else { return }
        var run = pendingFarewells.removeFirst()
        run.ticket = nil
        run.tries += 1
        run.deadline = turn.now.after(
            milliseconds: settings.connectionTimeout.saturatingAdd(settings.sendTimeout))
        startFarewell(run, &turn)
    }

    /// Somebody wants the socket. A farewell of his own time has a moment to end; one of an earlier time waits again.
    mutating func hurryFarewell(_ turn: inout Turn) {
        guard let run = farewellRun, session != nil, case .open = conditions.wish else { return }
        if run.tries > 0 {
            endFarewell(.localOnlyPending, &turn)
        } else {
            let end = turn.now.after(milliseconds: Self.handOver)
            if end.monotonic < run.deadline.monotonic { farewellRun?.deadline = end }
        }
    }
}
