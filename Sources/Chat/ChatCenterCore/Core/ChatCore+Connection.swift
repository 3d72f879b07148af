import ChatWire

// The network: its events, the handshake, and the replies to frames.
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
        // Missed messages are requested during the handshake. Messages that arrive at the server in the meantime are
        // requested after it.
        if !conversation.isHistoryFailing { wantGap() }
    }

    /// Marks everything that was sent on the socket and has no reply as unconfirmed.
    mutating func socketIsGone(_ update: inout CoreUpdate) {
        frames = FrameLedger()
        session.socketIsGone()
        perform(conversation.socketIsGone(), &update)
    }

    /// Handles a socket that the network closed or could not open. A token that the server refused during this is
    /// replaced, as after any other refusal.
    private mutating func socketClosed(_ cause: DisconnectCause, _ update: inout CoreUpdate) {
        let credentials = frames.credentials
        let isFarewell = farewells.run != nil
        perform(socket.lost(cause, at: update.now, entropy: update.entropy.next(), rules), &update)
        if let refusal = cause.unauthorizedRefusal, !isFarewell { stopForToken(credentials, refusal, &update) }
    }

    /// Ends all waits between attempts, because the conditions improved.
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
            // Without this, the next user of the device would receive the pushes of the user who logged out.
            pushToken: run == nil ? session.pushToken : nil)
        transmit(.registerDevice(registration), for: .register, &update)
    }

    /// Sends the user's information to the server. Unchanged information is sent again on the same socket only after
    /// `sendClientInfoAfterMillis`; changes are sent at once.
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

    /// Closes the socket, because its token was refused. It stays closed until there is another token. If another token
    /// already exists, a new socket opens at once.
    private mutating func haltForToken(_ update: inout CoreUpdate) {
        perform(socket.halt(.unauthorized), &update)
        if mayCall { socket.resume() }
    }

    // MARK: Frames

    /// Sends a frame on the live socket and records its purpose for the reply.
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
        for problem in frame.problems.prefix(5) { update.log(.error, "\(LoggedWord.code(frame.action)): \(problem)") }
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
            update.log(.webSocket, "ignored a frame with the unknown action \(LoggedWord.code(action))")
        }
    }

    private mutating func receipted(
        _ receipt: SendReceipt, _ purpose: FrameLedger.Purpose?, _ update: inout CoreUpdate
    ) {
        // Only these receipts describe the current time: that of a message may belong to an attempt hours ago.
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

    /// Handles a failure that the server sent, as a reply or unprompted.
    private mutating func failed(
        _ action: String, _ refusal: ServerRefusal, _ purpose: FrameLedger.Purpose?, isSuperseded: Bool,
        _ update: inout CoreUpdate
    ) {
        let isUnauthorized = refusal.isUnauthorized
        switch purpose {
        case .register: handshakeFailed(.registerDevice, refusal, &update)
        case .introduce: handshakeFailed(.clientInfo, refusal, &update)
        // For any failure, the logout is reported again later.
        case .farewell: endFarewell(.localOnlyPending, &update)
        case .message(let id):
            if isUnauthorized, tokenRefused(frames.credentials, refusal, &update) {
                // If a later attempt exists, its outcome becomes unknown when the socket is closed.
                if !isSuperseded { perform(conversation.returned(id), &update) }
            } else {
                perform(conversation.refused(id, refusal, mayHaveArrived: isSuperseded), &update)
            }
            if isUnauthorized { haltForToken(&update) }
        case .reading, .courtesy, nil:
            update.log(.error, "the server answered \(LoggedWord.code(action)) with \(refusal.logged)")
            if isUnauthorized, farewells.run == nil { stopForToken(frames.credentials, refusal, &update) }
        }
    }

    // MARK: Background and foreground

    mutating func enteredBackground(_ update: inout CoreUpdate) {
        guard presence.enteredBackground(dialogHasEnded: conversation.isDialogOver) else { return }
        conversation.dropDraft()
        // A pending logout must not use the socket longer than in the foreground.
        let limit = farewells.run?.deadline
        if socket.isReady, frames.awaitsAcknowledgement,
            let time = presence.beginGrace(atMost: limit, at: update.now)
        {
            update.emit(.holdProcess(milliseconds: time))
        } else if farewells.run != nil {
            endFarewell(.localOnlyPending, &update)
        }
    }

    /// Ends the grace period when no acknowledgement is pending, the time is over or the socket is gone. Returns true
    /// if it ended now.
    mutating func settleGrace(_ update: inout CoreUpdate) -> Bool {
        let isNeeded = socket.isReady && frames.awaitsAcknowledgement
        guard presence.settleGrace(isNeeded: isNeeded, at: update.now) else { return false }
        if !isForeground, farewells.run != nil { endFarewell(.localOnlyPending, &update) }
        return true
    }

    /// Returns to the foreground: checks wall-clock deadlines, loads missed messages and requests the unread count. An
    /// open socket is probed, because it may have died.
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
    /// The socket that the event belongs to; `nil` if it belongs to none.
    var generation: Generation? {
        switch self {
        case .socketOpened(let generation), .received(let generation, _), .unreadable(let generation, _),
            .transmitted(let generation, _), .ponged(let generation), .socketClosed(let generation, _):
            generation
        case .answered, .progress, .checkpoint, .transferred, .path, .pathChanged: nil
        }
    }
}
