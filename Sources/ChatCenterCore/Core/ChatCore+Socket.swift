import ChatWire

// The socket: what the supervisor asks for, and what the network says.
extension ChatCore {
    mutating func networkEvent(_ event: NetworkEvent, _ turn: inout Turn) {
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
        case .ponged: socket.heard(at: turn.now, rules)
        case .socketClosed(_, let cause):
            perform(socket.lost(cause, at: turn.now, entropy: turn.entropy.next(), rules), &turn)
        case .answered(let id, let result): answered(id, result, &turn)
        case .progress(let id, let bytes, let total): transferProgress(id, bytes, total, &turn)
        case .checkpoint(let id, let token): transferCheckpoint(id, token, &turn)
        case .transferred(let id, let result): transferred(id, result, &turn)
        case .pathChanged(let hasRoute):
            turn.log(.info, "the network changed, \(hasRoute ? "there is a route" : "no route is known")")
            self.hasRoute = hasRoute
            socket.networkChanged(at: turn.now, hasRoute: hasRoute)
            if hasRoute { sync.retryAt = nil }
        }
    }

    mutating func perform(_ actions: [SocketAction], _ turn: inout Turn) {
        for action in actions {
            switch action {
            case .open(let generation): openSocket(generation, &turn)
            case .close(let generation, let reason):
                turn.log(.webSocket, "closing socket \(generation.number): \(reason.rawValue)")
                socketIsGone(&turn)
                turn.emit(.network(.closeSocket(generation, reason)))
            case .register: register(&turn)
            case .introduce: introduce(&turn)
            case .becameReady:
                stage.lastDisconnect = nil
                turn.log(.webSocket, "socket \(socket.generation.number) is ready")
                sync.retryAt = nil
                wantGap()
                if session?.isConfigured == false { requestConfiguration(&turn) }
            case .ping(let generation):
                turn.emit(.network(.ping(generation)))
                if configuration.pingActionEnabled.value { transmit(.ping, for: .courtesy, &turn) }
            case .lost(let cause): socketWasLost(cause, &turn)
            }
        }
    }

    private mutating func openSocket(_ generation: Generation, _ turn: inout Turn) {
        guard let credentials = farewellRun?.credentials ?? session?.credentials else { return }
        turn.log(.webSocket, "opening socket \(generation.number)")
        socketCredentials = credentials
        let request = SocketRequest(credentials: credentials, timeoutMilliseconds: settings.connectionTimeout)
        turn.emit(.network(.openSocket(generation, request)))
        // What was missed is asked for while the handshake goes on; what comes in between is asked for when it is done.
        if sync.failures == 0 { wantGap() }
    }

    private mutating func socketWasLost(_ cause: DisconnectCause, _ turn: inout Turn) {
        socketIsGone(&turn)
        stage.lastDisconnect = cause
        turn.log(.error, "socket \(socket.generation.number) was lost: \(cause)")
        turn.emit(.notify(.networkProblem(.socket(cause))))
        if farewellRun != nil { endFarewell(.localOnlyPending, &turn) }
    }

    /// What was on its way on the socket has an unknown outcome now.
    private mutating func socketIsGone(_ turn: inout Turn) {
        frames = []
        socketCredentials = nil
        typing.otherUntil = nil
        typing.otherName = nil
        typing.pendingDraft = nil
        loseTrackOfMessages(&turn)
    }

    // MARK: The handshake

    private mutating func register(_ turn: inout Turn) {
        let device = settings.device
        guard let user = farewellRun?.user ?? session?.user else { return }
        let registration = DeviceRegistration(
            clientID: user.clientID, deviceAddress: farewellRun?.farewell.deviceAddress ?? session?.deviceAddress,
            providerUID: settings.providerUID, appMarker: settings.appMarker, deviceUID: device.uid,
            timeZone: device.timeZone, osName: device.osName, osVersion: device.osVersion, locale: device.locale,
            deviceModel: device.model, apiVersion: settings.apiVersion, pushToken: pushToken,
            signature: user.signature, isEncrypted: user.isEncrypted ? true : nil)
        transmit(.registerDevice(registration), for: .register, &turn)
    }

    private mutating func introduce(_ turn: inout Turn) {
        if farewellRun != nil {
            transmitFarewell(&turn)
        } else {
            transmitClientInfo(for: .introduce, &turn)
        }
    }

    mutating func transmitClientInfo(for purpose: PendingFrame.Purpose, _ turn: inout Turn) {
        guard let session else { return }
        let info = ClientInfo(
            name: session.user.name, data: session.user.data, locale: settings.device.locale,
            preRegister: stage.visible == nil && !latches.chatOpened)
        let content = Content(
            .clientInfo(info), clientID: session.user.clientID, uuid: turn.entropy.uuid(),
            appMarker: settings.appMarker, apiVersion: settings.apiVersion)
        transmit(.sendMessage(content, deviceAddress: session.deviceAddress), for: purpose, &turn)
    }

    /// Hands a frame to the live socket and remembers what its reply is for.
    mutating func transmit(_ body: ClientFrame.Body, for purpose: PendingFrame.Purpose, _ turn: inout Turn) {
        guard let generation = socket.live else { return }
        let number = nextNumber()
        let correlationID = "\(generation.number)-\(number)"
        if frames.count >= Self.longestFrameList, let oldest = frames.firstIndex(where: { $0.purpose == .courtesy }) {
            frames.remove(at: oldest)
        }
        frames.append(PendingFrame(correlationID: correlationID, purpose: purpose))
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
        case .answered, .progress, .checkpoint, .transferred, .pathChanged: nil
        }
    }
}
