import ChatWire

// Who is authorised: authorize, deauthorize, the token.
extension ChatCore {
    mutating func authorize(
        _ user: UserIdentity, _ credentials: WireCredentials, _ restored: PersistedChat, _ turn: inout Turn
    ) {
        guard !user.clientID.isEmpty else {
            turn.emit(.notify(.authorized(.failure(.emptyIdentifier))))
            return
        }
        if let current = session, current.user.clientID == user.clientID {
            reauthorize(current, user, credentials, &turn)
            return
        }
        // This has to be read before `leave`, whose commit carries out the pending erasure.
        let isErased = turn.isErasing(user.clientID)
        if session != nil { leave(ticket: nil, &turn) }
        begin(user, credentials, isErased ? .empty : restored, &turn)
    }

    /// The same user and token: nothing happens. Another token, or the one that was refused and is to be tried again: it
    /// is used from now on and everything is asked anew.
    private mutating func reauthorize(
        _ current: Session, _ user: UserIdentity, _ credentials: WireCredentials, _ turn: inout Turn
    ) {
        if current.credentials == credentials, current.user.signature == user.signature, !current.token.isRejected {
            if current.progress.isTold { turn.emit(.notify(.authorized(.success(current.user)))) }
            return
        }
        session?.user = user
        session?.credentials = credentials
        session?.token = .usable(since: nil)
        session?.tokenWorked = false
        session?.progress = Session.Progress()
        cancelCalls(&turn)
        socket.resume()
        turn.emit(.notify(.unread(0)))
        reading.toldNothing()
        requestConfiguration(&turn)
        wantGap()
    }

    private mutating func begin(
        _ user: UserIdentity, _ credentials: WireCredentials, _ restored: PersistedChat, _ turn: inout Turn
    ) {
        var session = Session(user: user, credentials: credentials)
        session.deviceAddress = restored.deviceAddress
        self.session = session
        latches = SocketLatches()
        // The user is back before the server could be told that he left: nothing is left to tell.
        perform(farewells.cameBack(user.clientID, hasRow: restored.farewell != nil), &turn)
        restore(restored, turn.now)
        turn.emit(.notify(.unread(0)))
        reading.forgetUser()
        reading.schedulePoll(at: turn.now)
        perform(configurator.apply(), &turn)
        requestConfiguration(&turn)
        wantGap()
    }

    /// Takes over what the store holds. Deadlines are put on this process's monotonic clock; what was on its way is
    /// unconfirmed now.
    private mutating func restore(_ restored: PersistedChat, _ now: Moment) {
        let messages = restored.messages.map { anchored($0, now) }
        window.reset(to: messages, storeHasOlder: restored.hasOlder)
        let queued = messages.compactMap { message in message.delivery?.entry.map { (message.id, $0.sequence) } }
        queue = queued.sorted { $0.1 < $1.1 }.map(\.0)
        lastSequence = queued.map(\.1).max() ?? 0
        transfers.restore(restored.attachments)
        dialog = restored.dialog
        for message in window.messages { noteOperator(message.content) }
        configurator.restore(restored.configuration)
        sync = SyncState()
        sync.cursor = restored.cursor
        if restored.cursor != nil { sync.wholeSince = window.messages.first?.position.time ?? .max }
    }

    private func anchored(_ message: StoredMessage, _ now: Moment) -> StoredMessage {
        func anchor(_ deadline: Deadline, atMost limit: Int64) -> Deadline {
            let left = min(max(0, deadline.wall.saturatingAdd(0 &- now.wall)), limit)
            return Deadline(monotonic: now.after(milliseconds: left).monotonic, wall: deadline.wall)
        }
        guard case .own(let delivery) = message.state, var entry = delivery.entry else { return message }
        entry.expires = anchor(entry.expires, atMost: settings.queuedMaximumAge)
        entry.notBefore = entry.notBefore.map { anchor($0, atMost: Int64(configuration.surveyCompletionDelay.value)) }
        let deadline = delivery.deadline.map { anchor($0, atMost: settings.sendTimeout) }
        var message = message
        switch delivery {
        case .queued: message.state = .own(.queued(entry, deadline: deadline))
        default: message.state = .own(.unconfirmed(entry, deadline: deadline))
        }
        return message
    }

    mutating func deauthorize(_ turn: inout Turn) {
        guard let user = session?.user.clientID else { return }
        supersedeAuthorization(&turn)
        turn.save(.erase, of: user)
        forgetUser(&turn)
        perform(socket.close(.loggedOut), &turn)
    }

    /// The user leaves before the outcome of `authorize` could be told: there will be none. Where another user takes his
    /// place, that one's outcome says so.
    mutating func supersedeAuthorization(_ turn: inout Turn) {
        guard session?.progress.isTold == false else { return }
        session?.progress.isTold = true
        turn.emit(.notify(.authorized(.failure(.superseded))))
    }

    /// Nothing of the user stays in memory. Whoever waits for an answer gets one.
    mutating func forgetUser(_ turn: inout Turn) {
        cancelCalls(&turn)
        perform(transfers.forgetUser(), &turn)
        session = nil
        window.reset()
        queue = []
        dialog = DialogState()
        sync = SyncState()
        typing = TypingIndicator()
        composer = Composer()
        reading.forgetUser()
        latches = SocketLatches()
        lastSequence = 0
        tickAt = nil
        search = SearchMachine()
        surveys.forgetUser()
        stage.forgetUser()
        perform(configurator.forgetUser(), &turn)
    }

    // MARK: The token

    /// The server refused what was made with these credentials. Returns whether another token is, or will be, there to
    /// try it again with; otherwise the host application must act.
    ///
    /// Several things are under way at a time: a refusal of the token before says nothing of the one in use. The file
    /// store may be another server, which cannot end the chat: what it refuses is asked for once, and never rejected.
    mutating func tokenRefused(
        _ credentials: WireCredentials?, _ refusal: ServerRefusal, byFileStore: Bool = false, _ turn: inout Turn
    ) -> Bool {
        guard let session else { return false }
        switch session.token {
        case .asked: return true
        case .rejected: return false
        case .usable(let since):
            if let credentials, credentials != session.credentials { return true }
            turn.log(.error, "the server does not accept the token: \(refusal.logged)")
            let trialIsOver = since.map { turn.now.monotonic >= $0.saturatingAdd(Session.tokenTrial) } ?? true
            // The provider was asked and gave a token that never worked: it would give another such one.
            let isHopeless = since != nil && refusal.isInvalidToken && !session.tokenWorked
            guard settings.hasTokenProvider, trialIsOver, !isHopeless else {
                if !byFileStore { reject(refusal, &turn) }
                return false
            }
            let attempt = TokenAttempt(numbers.next())
            self.session?.token = .asked(attempt)
            self.session?.tokenDeadline = turn.now.after(milliseconds: Session.tokenPatience).monotonic
            self.session?.tokenRefusal = byFileStore ? nil : refusal
            turn.emit(.askForToken(attempt))
            return true
        }
    }

    /// The server answered what was asked with these.
    mutating func noteTokenWorks(_ credentials: WireCredentials?) {
        if let credentials, credentials == session?.credentials { session?.tokenWorked = true }
    }

    private mutating func reject(_ refusal: ServerRefusal, _ turn: inout Turn) {
        session?.token = .rejected(refusal)
        turn.emit(.notify(.reauthorizationNeeded(refusal)))
        // What was put off for the sake of the next token will not be asked now.
        let failure = TransportFailure(.refused, refusal: refusal)
        authorizeProgressed(configuration: .some(failure), history: .some(failure), &turn)
    }

    /// The host application was asked for a token and has not answered yet.
    package func isAsking(_ attempt: TokenAttempt) -> Bool {
        if case .asked(attempt) = session?.token { true } else { isLate(attempt) }
    }

    /// The answer is given up, and nothing else has helped since.
    private func isLate(_ attempt: TokenAttempt) -> Bool {
        session?.lateAttempt == attempt && session?.token.isRejected == true
    }

    /// Until when an answer is waited for, on the monotonic clock.
    var tokenDeadline: Int64? {
        if case .asked = session?.token { session?.tokenDeadline } else { nil }
    }

    /// An answer that never comes would halt everything for good.
    mutating func expireToken(_ turn: inout Turn) {
        guard case .asked(let attempt) = session?.token, let end = tokenDeadline, end <= turn.now.monotonic else {
            return
        }
        turn.log(.error, "no token came within \(Session.tokenPatience / 1000) s")
        tokenArrived(attempt, nil, &turn)
        session?.lateAttempt = attempt
    }

    mutating func tokenArrived(_ attempt: TokenAttempt, _ credentials: WireCredentials?, _ turn: inout Turn) {
        guard isAsking(attempt) else {
            turn.log(.info, "a token came that nobody waits for")
            return
        }
        let isLate = isLate(attempt)
        session?.lateAttempt = nil
        // None, or the one that was refused: nothing would come of trying it again.
        guard let credentials, credentials != session?.credentials else {
            if isLate { return }
            if let refusal = session?.tokenRefusal {
                reject(refusal, &turn)
            } else {
                session?.token = .usable(since: turn.now.monotonic)
            }
            return
        }
        session?.credentials = credentials
        session?.token = .usable(since: turn.now.monotonic)
        session?.tokenWorked = false
        socket.resume()
        sync.retryAt = nil
        requestMissingConfiguration(&turn)
        wantGap()
    }
}
