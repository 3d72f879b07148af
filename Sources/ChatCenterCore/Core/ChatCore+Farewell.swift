import ChatWire

// Logging out: the user's data goes at once, then the server is told that this device is his no more.
extension ChatCore {
    mutating func logout(_ ticket: Ticket, _ turn: inout Turn) {
        guard session != nil else {
            turn.emit(.notify(.loggedOut(ticket, .notAuthorized)))
            return
        }
        leave(ticket: ticket, &turn)
    }

    /// Wipes the user and begins to tell the server. The row that says so holds neither token nor data.
    mutating func leave(ticket: Ticket?, _ turn: inout Turn) {
        guard let current = session else { return }
        if farewellRun != nil { endFarewell(.localOnlyPending, &turn) }
        let user = current.user
        forgetUser(&turn)
        stage.nextPrefill = nil
        turn.save(.erase, of: user.clientID)
        guard let address = current.deviceAddress else {
            // The server never knew this device.
            perform(socket.close(.loggedOut), &turn)
            if let ticket { turn.emit(.notify(.loggedOut(ticket, .server))) }
            return
        }
        let farewell = Farewell(clientID: user.clientID, deviceAddress: address)
        turn.save(.farewell(farewell), of: user.clientID)
        startFarewell(
            FarewellRun(
                ticket: ticket, farewell: farewell, user: user, credentials: current.credentials,
                deadline: turn.now.after(
                    milliseconds: settings.connectionTimeout.saturatingAdd(settings.sendTimeout))), &turn)
    }

    private mutating func startFarewell(_ run: FarewellRun, _ turn: inout Turn) {
        farewellRun = run
        guard isForeground else {
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
            if session?.user.clientID != run.farewell.clientID {
                pendingFarewells.append(run)
                if pendingFarewells.count > Self.longestFarewellList { pendingFarewells.removeFirst() }
            }
        case .notAuthorized: break
        }
        perform(socket.close(.loggedOut), &turn)
        if let ticket = run.ticket { turn.emit(.notify(.loggedOut(ticket, outcome))) }
    }

    /// Tells the server of users who left earlier, while nobody else needs the socket.
    mutating func retryFarewell(_ turn: inout Turn) {
        guard session == nil, farewellRun == nil, !pendingFarewells.isEmpty else { return }
        var run = pendingFarewells.removeFirst()
        run.ticket = nil
        run.deadline = turn.now.after(
            milliseconds: settings.connectionTimeout.saturatingAdd(settings.sendTimeout))
        startFarewell(run, &turn)
    }
}
