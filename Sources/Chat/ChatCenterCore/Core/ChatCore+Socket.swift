import ChatWire

// The socket: what the supervisor asks for, and what the network says.
extension ChatCore {
    mutating func networkEvent(_ event: NetworkEvent, _ turn: inout CoreUpdate) {
        if let generation = event.generation, generation != socket.live {
            turn.log(.webSocket, "dropped an event of socket \(generation.number), which is not the live one")
            return
        }
        switch event {
        case .socketOpened: perform(socket.opened(at: turn.now, rules), &turn)
        case .received(_, let frame):
            socket.heard(at: turn.now, rules)
            received(frame, &turn)
        case .unreadable(_, let error):
            socket.heard(at: turn.now, rules)
            turn.log(.error, "a frame of the server could not be read: \(error)")
        case .transmitted: break
        case .ponged:
            socket.heard(at: turn.now, rules)
            frames.ponged(at: turn.now)
        case .socketClosed(_, let cause): socketClosed(cause, &turn)
        case .answered(let id, let result): answered(id, result, &turn)
        case .progress(let id, let bytes, let total): perform(transfers.progressed(id, bytes, of: total), &turn)
        case .checkpoint(let id, let token): perform(transfers.reachedCheckpoint(id, token), &turn)
        case .transferred(let id, let result):
            perform(
                transfers.ended(id, result, in: window, at: turn.now, configuration, entropy: &turn.entropy), &turn)
        case .path(let path): perform(route.changed(to: path), &turn)
        case .pathChanged(let hasRoute): perform(route.changed(hasRoute: hasRoute), &turn)
        }
    }

    /// The network closed the socket, or could not open it. A token that the server refused on the way is replaced like
    /// one that it refuses later.
    private mutating func socketClosed(_ cause: DisconnectCause, _ turn: inout CoreUpdate) {
        let credentials = socketCredentials
        let isFarewell = farewells.run != nil
        perform(socket.lost(cause, at: turn.now, entropy: turn.entropy.next(), rules), &turn)
        guard let refusal = cause.unauthorizedRefusal, !isFarewell, session.isAuthorized else { return }
        _ = tokenRefused(credentials, refusal, &turn)
        haltForToken(&turn)
    }

    // MARK: The network

    /// The circumstances are better than when the last tries were made: nothing waits for its time any more.
    mutating func tryAgainSoon(_ turn: inout CoreUpdate) {
        sync.retryNow()
        configurator.retryNow()
        transfers.retryNow()
        retryFarewells(&turn)
    }

    mutating func openSocket(_ generation: Generation, _ turn: inout CoreUpdate) {
        guard let credentials = farewells.run?.credentials ?? session.account?.credentials else { return }
        turn.log(.webSocket, "opening socket \(generation.number)")
        socketCredentials = credentials
        let request = SocketRequest(credentials: credentials, timeoutMilliseconds: settings.connectionTimeout)
        turn.emit(.network(.openSocket(generation, request)))
        // What was missed is asked for while the handshake goes on; what comes in between is asked for when it is done.
        if !sync.isFailing { wantGap() }
    }

    mutating func socketWasLost(_ cause: DisconnectCause, _ turn: inout CoreUpdate) {
        socketIsGone(&turn)
        screenComposer.noteSocket(cause)
        turn.log(.error, "socket \(socket.generation.number) was lost: \(cause.logged)")
        turn.emit(.notify(.networkProblem(.socket(cause))))
        endFarewell(.localOnlyPending, &turn)
    }

    /// What was on its way on the socket has an unknown outcome now.
    mutating func socketIsGone(_ turn: inout CoreUpdate) {
        frames = FrameLedger()
        reading.socketIsGone()
        socketCredentials = nil
        session.socketIsGone()
        typing.stop()
        composer.dropDraft()
        perform(outbox.socketIsGone(&window), &turn)
    }

    // MARK: The handshake

    mutating func register(_ turn: inout CoreUpdate) {
        let device = settings.device
        guard let user = farewells.run?.user ?? session.user else { return }
        let registration = DeviceRegistration(
            clientID: user.clientID, deviceAddress: farewells.run?.farewell.deviceAddress ?? session.deviceAddress,
            providerUID: settings.providerUID, appMarker: settings.appMarker, deviceUID: device.uid,
            timeZone: device.timeZone, osName: device.osName, osVersion: device.osVersion,
            locale: user.locale ?? device.locale, deviceModel: device.model, apiVersion: settings.apiVersion,
            // Pushes of a user who left would go on to whoever uses the device now.
            pushToken: farewells.run == nil ? session.pushToken : nil,
            signature: user.signature, isEncrypted: user.isEncrypted ? true : nil)
        transmit(.registerDevice(registration), for: .register, &turn)
    }

    mutating func introduce(_ turn: inout CoreUpdate) {
        if farewells.run != nil {
            perform(farewells.introduced(), &turn)
        } else {
            transmitClientInfo(for: .introduce, &turn)
        }
    }

    /// Tells the server who the user is. On a socket on which it knows the same already, `sendClientInfoAfterMillis`
    /// has to be over; anything new goes at once.
    mutating func transmitClientInfo(for purpose: FrameLedger.Purpose, _ turn: inout CoreUpdate) {
        let info = session.introduce(
            isIntroduction: purpose == .introduce, preRegister: presence.isBeforeFirstScreen,
            locale: settings.device.locale, interval: Int64(configuration.clientInfoInterval.value), at: turn.now)
        if let info { perform([.say(.clientInfo(info), for: purpose)], &turn) }
    }

    /// Hands a frame to the live socket and remembers what its reply is for.
    mutating func transmit(_ body: ClientFrame.Body, for purpose: FrameLedger.Purpose, _ turn: inout CoreUpdate) {
        guard let generation = socket.live else { return }
        let number = numbers.next()
        let correlationID = "\(generation.number)-\(number)"
        frames.sent(correlationID, for: purpose, readingEnd: turn.now.after(milliseconds: settings.sendTimeout))
        turn.emit(
            .network(.transmit(generation, FrameID(number), ClientFrame(body, correlationID: correlationID))))
    }
}

extension NetworkEvent {
    /// The socket that the event is about.
    var generation: Generation? {
        switch self {
        case .socketOpened(let generation), .received(let generation, _), .unreadable(let generation, _),
            .transmitted(let generation, _), .ponged(let generation), .socketClosed(let generation, _):
            generation
        case .answered, .progress, .checkpoint, .transferred, .path, .pathChanged: nil
        }
    }
}
