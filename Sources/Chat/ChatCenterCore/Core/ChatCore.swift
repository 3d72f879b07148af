import ChatWire

/// The chat as a value: events go in, effects come out, and nothing else happens.
///
/// The same events at the same moments with the same entropy give the same effects. `handle` is total: an event that
/// does not fit is dropped with a reason in the log. Each turn handles the event, then what is due, then brings
/// everything that follows from the state (socket, queue, uploads, history, read marks) to where it should be.
package struct ChatCore: Hashable, Sendable {
    let settings: ChatSettings

    // Who.
    var session: SessionMachine
    var farewells = FarewellMachine()

    var configurator: ConfigurationMachine

    // The application and the screen.
    var presence = PresenceMachine()
    var screenComposer = ScreenComposer()
    var composer = Composer()
    var typing = TypingIndicator()
    var reading: ReadingMachine
    var search = SearchMachine()
    var surveys: SurveyMachine

    // The conversation.
    var window = MessageWindow()
    var intake = IntakeMachine()
    var outbox: OutboxMachine
    var transfers: TransferMachine
    var dialog = DialogMachine()
    var sync: SyncMachine
    var serverClock = ServerClock()

    // The network.
    var route = RouteMachine()
    var socket = SocketSupervisor()
    /// What the socket was opened with.
    var socketCredentials: WireCredentials?
    var frames = FrameLedger()
    var calls = CallLedger()

    // The store.
    var commits = CommitLedger()

    // Numbers.
    /// No two frames, calls or questions of this core have the same one.
    var numbers = NumberSequence()

    /// A chat of nobody yet: `authorize` brings the user and what the store holds of him.
    package init(settings: ChatSettings) {
        self.settings = settings.clamped()
        outbox = OutboxMachine(self.settings)
        sync = SyncMachine(pageSize: self.settings.catchUpPageSize)
        session = SessionMachine(hasTokenProvider: self.settings.hasTokenProvider)
        reading = ReadingMachine(pollInterval: self.settings.unreadMessageCountDelay.saturatingMultiply(1000))
        transfers = TransferMachine(uploadTimeout: self.settings.uploadTimeout)
        surveys = SurveyMachine(apiVersion: self.settings.apiVersion)
        configurator = ConfigurationMachine(self.settings)
    }

    /// Takes an event and says what is to be done, in this order. `entropy` is fresh randomness for each event.
    package mutating func handle(_ event: ChatEvent, at now: Moment, entropy: UInt64) -> [ChatEffect] {
        var turn = CoreUpdate(now: now, entropy: entropy)
        commits.begin(event, &turn)
        dispatch(event, &turn)
        if case .recalled = event {} else { intake.recall([]) }
        expire(&turn)
        settle(&turn)
        commits.end(&turn)
        return turn.effects
    }

    private mutating func dispatch(_ event: ChatEvent, _ turn: inout CoreUpdate) {
        switch event {
        case .wake: break
        case .authorize(let user, let credentials, let restored): authorize(user, credentials, restored, &turn)
        case .deauthorize: deauthorize(&turn)
        case .logout(let ticket): logout(ticket, &turn)
        case .token(let attempt, let credentials):
            perform(session.tokenArrived(attempt, credentials, at: turn.now), &turn)
        case .tokenIdentity(let attempt, let signature, let isEncrypted):
            session.identify(attempt, signature: signature, isEncrypted: isEncrypted)
        case .userData(let data): session.setUserData(data)
        case .pushToken(let token): session.setPushToken(token)
        case .pendingFarewell(let farewell):
            perform(
                farewells.found(
                    farewell, currentUser: session.clientID, reported: calls.reportedFarewells, at: turn.now,
                    mayReport: isForeground), &turn)
        case .enteredBackground: enteredBackground(&turn)
        case .enteredForeground: enteredForeground(&turn)
        case .getChat(let screen): getChat(screen, &turn)
        case .screenAppeared(let screen): screenAppeared(screen, &turn)
        case .screenDisappeared(let screen): screenDisappeared(screen, &turn)
        case .prefill(let text): composer.prefillNextScreen(text)
        case .typed(let text):
            // A socket that carries a farewell is that of another user.
            composer.typed(text, isTold: socket.isReady && farewells.run == nil && session.isAuthorized)
        case .loadOlder:
            let count = configuration.historyLoadingCount.value
            perform(sync.loadOlder(count, &window, isAuthorized: session.isAuthorized, mayCall: mayCall), &turn)
        case .campaign(let mailing): if session.isAuthorized { composer.bind(to: mailing) }
        case .quote(let id): perform(composer.quote(id, in: window), &turn)
        case .rateSurvey(let id, let question, let rate):
            perform(surveys.rate(id, question: question, rate: rate, in: window, at: turn.now, serverClock), &turn)
        case .commentSurvey(let id, let text):
            perform(surveys.comment(id, text, in: window, at: turn.now, serverClock), &turn)
        case .submitSurvey(let id): perform(surveys.submit(id, in: window, at: turn.now, serverClock), &turn)
        case .closeThread(let id): perform(surveys.answerCloseRequest(id, .closeThread, in: window), &turn)
        case .reopenThread(let id): perform(surveys.answerCloseRequest(id, .reopenThread, in: window), &turn)
        case .searchTyped(let text):
            perform(search.typed(text, at: turn.now, searchConditions, numbers: &numbers), &turn)
        case .searchMore: perform(search.more(searchConditions), &turn)
        case .found(let query, let result):
            perform(search.storeAnswered(query, result, in: window, searchConditions), &turn)
        case .reload: reload(&turn)
        case .send(let ticket, let id, let message): send(ticket, id, message, &turn)
        case .resend(let id): resend(id, &turn)
        case .discard(let id): discard(id, &turn)
        case .download(let id, let reference):
            perform(transfers.download(id, reference, for: session.account), &turn)
        case .cancelTransfer(let id):
            perform(transfers.cancel(id, in: window, at: turn.now, configuration, entropy: &turn.entropy), &turn)
        case .unreadCount(let ticket):
            perform(reading.ask(ticket, window, isAuthorized: session.isAuthorized), &turn)
        case .search(let ticket, let query, let page):
            perform(search.search(ticket, query, page: page, searchConditions), &turn)
        case .recalled(let messages): intake.recall(messages)
        case .page(let query, let result): perform(sync.loaded(query, result, &window, mayCall: mayCall), &turn)
        case .commitFailed(let transaction, let failure): commitFailed(transaction, failure, &turn)
        case .network(let event): networkEvent(event, &turn)
        }
    }

    // MARK: Looking

    /// The values in force and where they come from.
    package var configuration: EffectiveConfiguration { configurator.effective }

    /// Bytes; 30 MB as long as the server has not said otherwise.
    package var largestFile: Int64 { configurator.largestFile }

    /// The extensions of files that the server takes, in lower case, without a dot; empty where it takes all.
    package var allowedFileExtensions: [String] { configurator.fileExtensions }

    /// The client id of the user who is authorised.
    package var authorisedClientID: String? { session.clientID }

    /// The socket that there is.
    package var liveGeneration: Generation? { socket.live }

    /// The state of the connection as everybody sees it.
    package var connection: ChatConnectionState { socket.connection }

    /// Whether a message was sent and its outcome is unknown.
    package var awaitsOutcome: Bool { outbox.isOutcomeUnknown(window) }

    /// A thread was opened and not closed since.
    package var isDialogActive: Bool { dialog.phase == .active }

    var isForeground: Bool { presence.isForeground }

    /// The times in force for the socket.
    var rules: SocketRules { SocketRules(settings, configuration) }

    /// Calls are made while the token is not known to be refused.
    var mayCall: Bool { session.mayCall }

    /// The server can be asked for its count, and is not being asked.
    var mayPoll: Bool { mayCall && !calls.contains(.unreadPoll) }

    var searchConditions: SearchMachine.Conditions {
        SearchMachine.Conditions(
            isAuthorized: session.isAuthorized, isEnabled: configuration.searchEnabled.value,
            mayAskServer: route.hasRoute && mayCall, pageSize: configuration.historyLoadingCount.value)
    }
}

extension ChatEffect {
    var isCommit: Bool {
        if case .commit = self { true } else { false }
    }
}
