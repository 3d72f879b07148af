import ChatWire

// The network: what it says, the handshake, and what the server's frames reply to.
extension ChatCore {
    mutating func networkEvent(_ event: NetworkEvent, _ update: inout CoreUpdate) {
        if let generation = event.generation, generation != socket.live {
            update.log(.webSocket, "dropped an event of socket \(generation.number), which is not the live one")
            return
        }
        let now = update.now
        switch event {
        case .socketOpened: perform(socket.opened(at: now, rules), &update)
        case .received(_, let frame):
            socket.heard(at: now, rules)
            received(frame, &update)
        case .unreadable(_, let error):
            socket.heard(at: now, rules)
            update.log(.error, "a frame of the server could not be read: \(error)")
        case .transmitted: break
        case .ponged:
            socket.heard(at: now, rules)
            frames.ponged(at: now)
        case .socketClosed(_, let cause): socketClosed(cause, &update)
        case .answered(let id, let result): answered(id, result, &update)
        case .progress, .checkpoint, .transferred: converse(.network(event), &update)
        case .path(let path): perform(route.changed(to: path), &update)
        case .pathChanged(let hasRoute): perform(route.changed(hasRoute: hasRoute), &update)
        }
    }

    // MARK: The socket

    mutating func openSocket(_ generation: Generation, _ update: inout CoreUpdate) {
        guard let credentials = farewells.run?.credentials ?? session.account?.credentials else { return }
        update.log(.webSocket, "opening socket \(generation.number)")
        frames = FrameLedger(credentials: credentials)
        let request = SocketRequest(credentials: credentials, timeoutMilliseconds: settings.connectionTimeout)
        update.emit(.network(.openSocket(generation, request)))
        // What was missed is asked for while the handshake goes on; what comes in between is asked for when it is done.
        if !conversation.isHistoryFailing { wantGap() }
    }

    /// What was on its way on the socket has an unknown outcome now.
    mutating func socketIsGone(_ update: inout CoreUpdate) {
        frames = FrameLedger()
        session.socketIsGone()
        perform(conversation.socketIsGone(), &update)
    }

    /// The network closed the socket, or could not open it. A token that the server refused on the way is replaced like
    /// one that it refuses later.
    private mutating func socketClosed(_ cause: DisconnectCause, _ update: inout CoreUpdate) {
        let credentials = frames.credentials
        let isFarewell = farewells.run != nil
        perform(socket.lost(cause, at: update.now, entropy: update.entropy.next(), rules), &update)
        if let refusal = cause.unauthorizedRefusal, !isFarewell { stopForToken(credentials, refusal, &update) }
    }

    /// The circumstances are better than when the last tries were made: nothing waits for its time any more.
    mutating func tryAgainSoon(_ update: inout CoreUpdate) {
        conversation.retryNow()
        configurator.retryNow()
        if isForeground { perform(farewells.reportPending(), &update) }
    }

    // MARK: The handshake

    mutating func register(_ update: inout CoreUpdate) {
        let run = farewells.run
        guard let user = run?.user ?? session.user else { return }
        let registration = DeviceRegistration(
            user, settings, deviceAddress: run?.farewell.deviceAddress ?? session.deviceAddress,
            // Pushes of a user who left would go on to whoever uses the device now.
            pushToken: run == nil ? session.pushToken : nil)
        transmit(.registerDevice(registration), for: .register, &update)
    }

    /// Tells the server who the user is. On a socket on which it knows the same already, `sendClientInfoAfterMillis`
    /// has to be over; anything new goes at once.
    mutating func transmitClientInfo(for purpose: FrameLedger.Purpose, _ update: inout CoreUpdate) {
        let info = session.introduce(
            isIntroduction: purpose == .introduce, preRegister: presence.isBeforeFirstScreen,
            locale: settings.device.locale, interval: Int64(configuration.clientInfoInterval.value), at: update.now)
        if let info { perform([.say(.clientInfo(info), for: purpose)], &update) }
    }

    private mutating func handshakeFailed(
        _ step: HandshakeStep, _ refusal: ServerRefusal, _ update: inout CoreUpdate
    ) {
        if farewells.run != nil {
            endFarewell(.localOnlyPending, &update)
        } else if refusal.isUnauthorized {
            stopForToken(frames.credentials, refusal, &update)
        } else {
            let entropy = update.entropy.next()
            perform(
                socket.abandon(.refused, .refused(step, refusal), at: update.now, entropy: entropy, rules), &update)
        }
    }

    private mutating func stopForToken(
        _ credentials: WireCredentials?, _ refusal: ServerRefusal, _ update: inout CoreUpdate
    ) {
        guard session.isAuthorized else { return }
        _ = tokenRefused(credentials, refusal, &update)
        haltForToken(&update)
    }

    /// The socket is of no use with the token that it was opened with. It is closed until there is another one, which
    /// may be there already.
    private mutating func haltForToken(_ update: inout CoreUpdate) {
        perform(socket.halt(.unauthorized), &update)
        if mayCall { socket.resume() }
    }

    // MARK: Frames

    /// Hands a frame to the live socket and remembers what its reply is for.
    mutating func transmit(_ body: ClientFrame.Body, for purpose: FrameLedger.Purpose, _ update: inout CoreUpdate) {
        guard let generation = socket.live else { return }
        let number = numbers.next()
        let correlationID = "\(generation.number)-\(number)"
        frames.sent(correlationID, for: purpose, readingEnd: update.now.after(milliseconds: settings.sendTimeout))
        update.emit(
            .network(.transmit(generation, FrameID(number), ClientFrame(body, correlationID: correlationID))))
    }

    private mutating func received(_ frame: ServerFrame, _ update: inout CoreUpdate) {
        let (purpose, isSuperseded) = frames.takeReply(to: frame.correlationID, at: update.now)
        for problem in frame.problems.prefix(5) { update.log(.error, "\(ServerWord.code(frame.action)): \(problem)") }
        switch frame.body {
        case .registered(let address):
            guard purpose == .register else { return }
            session.tokenWorked(frames.credentials)
            farewells.registered(address)
            if farewells.run == nil { perform(session.registered(address), &update) }
            perform(socket.registered(at: update.now, rules), &update)
        case .receipt(let receipt): receipted(receipt, purpose, &update)
        case .done: if case .reading(let ids) = purpose { perform(conversation.marksArrived(ids), &update) }
        case .failure(let action, let failure):
            failed(action, ServerRefusal(failure), purpose, isSuperseded: isSuperseded, &update)
        case .messages, .statuses: perform(conversation.received(frame, conditions(update)), &update)
        case .unknown(let action, _):
            update.log(.webSocket, "ignored a frame with the unknown action \(ServerWord.code(action))")
        }
    }

    private mutating func receipted(
        _ receipt: SendReceipt, _ purpose: FrameLedger.Purpose?, _ update: inout CoreUpdate
    ) {
        // The receipt of a message may be that of its first try, hours ago; these are made for this moment.
        if purpose == .introduce || purpose == .courtesy, let sentAt = receipt.sentAt {
            serverClock.note(sentAt, at: update.now)
        }
        switch purpose {
        case .introduce: perform(socket.introduced(at: update.now, rules), &update)
        case .farewell: endFarewell(.server, &update)
        case .message(let id): perform(conversation.confirmed(id, receipt), &update)
        case .register, .reading, .courtesy, nil: break
        }
    }

    /// The server answered with a failure, or stated one without being asked.
    private mutating func failed(
        _ action: String, _ refusal: ServerRefusal, _ purpose: FrameLedger.Purpose?, isSuperseded: Bool,
        _ update: inout CoreUpdate
    ) {
        let isUnauthorized = refusal.isUnauthorized
        switch purpose {
        case .register: handshakeFailed(.registerDevice, refusal, &update)
        case .introduce: handshakeFailed(.clientInfo, refusal, &update)
        // Whatever the reason: the server did not take it in, and it is told again later.
        case .farewell: endFarewell(.localOnlyPending, &update)
        case .message(let id):
            if isUnauthorized, tokenRefused(frames.credentials, refusal, &update) {
                // Otherwise the outcome of the later try is unknown as soon as the socket is closed.
                if !isSuperseded { perform(conversation.returned(id), &update) }
            } else {
                perform(conversation.refused(id, refusal, mayHaveArrived: isSuperseded), &update)
            }
            if isUnauthorized { haltForToken(&update) }
        case .reading, .courtesy, nil:
            update.log(.error, "the server answered \(ServerWord.code(action)) with \(refusal.logged)")
            if isUnauthorized, farewells.run == nil { stopForToken(frames.credentials, refusal, &update) }
        }
    }

    // MARK: Background and foreground

    mutating func enteredBackground(_ update: inout CoreUpdate) {
        guard presence.enteredBackground(dialogHasEnded: conversation.isDialogOver) else { return }
        conversation.dropDraft()
        // A logout has no more time for its socket than in the foreground.
        let limit = farewells.run?.deadline
        if socket.isReady, frames.awaitsAcknowledgement,
            let time = presence.beginGrace(atMost: limit, at: update.now)
        {
            update.emit(.holdProcess(milliseconds: time))
        } else if farewells.run != nil {
            endFarewell(.localOnlyPending, &update)
        }
    }

    /// Ends the grace when nothing is owed any more, its time is over or the socket is gone; true when it ended now.
    mutating func settleGrace(_ update: inout CoreUpdate) -> Bool {
        let isNeeded = socket.isReady && frames.awaitsAcknowledgement
        guard presence.settleGrace(isNeeded: isNeeded, at: update.now) else { return false }
        if !isForeground, farewells.run != nil { endFarewell(.localOnlyPending, &update) }
        return true
    }

    /// What is due by the wall clock is judged, what was missed is fetched, the counter is asked for. A socket that is
    /// still there may have died meanwhile, and is asked.
    mutating func enteredForeground(_ update: inout CoreUpdate) {
        guard presence.enteredForeground() else { return }
        perform(conversation.judgeByWallClock(at: update.now), &update)
        socket.forgetFailures()
        socket.doubt(at: update.now)
        tryAgainSoon(&update)
        guard session.isAuthorized else { return }
        wantGap()
        requestMissingConfiguration(&update)
        perform(conversation.poll(conditions(update)), &update)
    }
}

extension DeviceRegistration {
    fileprivate init(_ user: UserIdentity, _ settings: ChatSettings, deviceAddress: String?, pushToken: String?) {
        let device = settings.device
        self.init(
            clientID: user.clientID, deviceAddress: deviceAddress, providerUID: settings.providerUID,
            appMarker: settings.appMarker, deviceUID: device.uid, timeZone: device.timeZone, osName: device.osName,
            osVersion: device.osVersion, locale: user.locale ?? device.locale, deviceModel: device.model,
            apiVersion: settings.apiVersion, pushToken: pushToken, signature: user.signature,
            isEncrypted: user.isEncrypted ? true : nil)
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
