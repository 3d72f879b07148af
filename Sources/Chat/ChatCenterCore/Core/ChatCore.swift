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
        var update = CoreUpdate(now: now, entropy: entropy)
        commits.begin(event, &update)
        dispatch(event, &update)
        if case .recalled = event {} else { intake.recall([]) }
        expire(&update)
        settle(&update)
        commits.end(&update)
        return update.effects
    }

    private mutating func dispatch(_ event: ChatEvent, _ update: inout CoreUpdate) {
        switch event {
        case .wake: break
        case .authorize(let user, let credentials, let restored): authorize(user, credentials, restored, &update)
        case .deauthorize: deauthorize(&update)
        case .logout(let ticket): logout(ticket, &update)
        case .token(let attempt, let credentials):
            perform(session.tokenArrived(attempt, credentials, at: update.now), &update)
        case .tokenIdentity(let attempt, let signature, let isEncrypted):
            session.identify(attempt, signature: signature, isEncrypted: isEncrypted)
        case .userData(let data): session.setUserData(data)
        case .pushToken(let token): session.setPushToken(token)
        case .pendingFarewell(let farewell):
            perform(
                farewells.found(
                    farewell, currentUser: session.clientID, reported: calls.reportedFarewells, at: update.now,
                    mayReport: isForeground), &update)
        case .enteredBackground: enteredBackground(&update)
        case .enteredForeground: enteredForeground(&update)
        case .getChat(let screen):
            // It gets the text that waits for it; older ones are deaf from now on.
            presence.begin(screen)
            composer.beginScreen()
            search.leaveScreen()
        case .screenAppeared(let screen): screenAppeared(screen, &update)
        case .screenDisappeared(let screen): screenDisappeared(screen)
        case .prefill(let text): composer.prefillNextScreen(text)
        case .typed(let text):
            // A socket that carries a farewell is that of another user.
            composer.typed(text, isTold: socket.isReady && farewells.run == nil && session.isAuthorized)
        case .loadOlder:
            let count = configuration.historyLoadingCount.value
            perform(sync.loadOlder(count, &window, isAuthorized: session.isAuthorized, mayCall: mayCall), &update)
        case .campaign(let mailing): if session.isAuthorized { composer.bind(to: mailing) }
        case .quote(let id): perform(composer.quote(id, in: window), &update)
        case .rateSurvey(let id, let question, let rate):
            perform(surveys.rate(id, question: question, rate: rate, in: window, at: update.now, serverClock), &update)
        case .commentSurvey(let id, let text):
            perform(surveys.comment(id, text, in: window, at: update.now, serverClock), &update)
        case .submitSurvey(let id): perform(surveys.submit(id, in: window, at: update.now, serverClock), &update)
        case .closeThread(let id): perform(surveys.answerCloseRequest(id, .closeThread, in: window), &update)
        case .reopenThread(let id): perform(surveys.answerCloseRequest(id, .reopenThread, in: window), &update)
        case .searchTyped(let text):
            perform(search.typed(text, at: update.now, searchConditions, numbers: &numbers), &update)
        case .searchMore: perform(search.more(searchConditions), &update)
        case .found(let query, let result):
            perform(search.storeAnswered(query, result, in: window, searchConditions), &update)
        case .reload: reload(&update)
        case .send(let ticket, let id, let message): send(ticket, id, message, &update)
        case .resend(let id): resend(id, &update)
        case .discard(let id): discard(id, &update)
        case .download(let id, let reference):
            perform(transfers.download(id, reference, for: session.account), &update)
        case .cancelTransfer(let id):
            perform(transfers.cancel(id, in: window, at: update.now, configuration, entropy: &update.entropy), &update)
        case .unreadCount(let ticket):
            perform(reading.ask(ticket, window, isAuthorized: session.isAuthorized), &update)
        case .search(let ticket, let query, let page):
            perform(search.search(ticket, query, page: page, searchConditions), &update)
        case .recalled(let messages): intake.recall(messages)
        case .page(let query, let result): perform(sync.loaded(query, result, &window, mayCall: mayCall), &update)
        case .commitFailed(let transaction, let failure): commitFailed(transaction, failure, &update)
        case .network(let event): networkEvent(event, &update)
        }
    }

    // MARK: The screen

    private mutating func screenAppeared(_ screen: ScreenID, _ update: inout CoreUpdate) {
        guard session.isAuthorized, presence.appeared(screen) else {
            update.log(.info, "a screen that is not the newest one, or that nobody is authorised for, is deaf")
            return
        }
        if configuration.scrollToLatest.value { screenComposer.scrollToLatest(in: window) }
        // On a socket that is up already the server learns now that somebody looks, and what the user's data is.
        if socket.isReady, farewells.run == nil { transmitClientInfo(for: .courtesy, &update) }
        requestMissingConfiguration(&update)
        if !sync.hasHistory { wantGap() }
    }

    private mutating func screenDisappeared(_ screen: ScreenID) {
        guard presence.disappeared(screen, dialogHasEnded: dialog.phase == .ended) else { return }
        composer.screenDisappeared()
        window.shrink()
    }

    /// What the screen shows.
    var sources: ScreenComposer.Sources {
        ScreenComposer.Sources(
            settings: settings, session: session, configurator: configurator, presence: presence, socket: socket,
            commits: commits, window: window, dialog: dialog, typing: typing, sync: sync, reading: reading,
            composer: composer, search: search, surveys: surveys, transfers: transfers)
    }

    /// The screen as it is published.
    package var screen: ChatScreenState { screenComposer.screen(sources) }

    /// Everything after the cursor is to be fetched.
    mutating func wantGap() {
        if session.isAuthorized { sync.want() }
    }

    private mutating func reload(_ update: inout CoreUpdate) {
        guard session.isAuthorized else { return }
        tryAgainSoon(&update)
        wantGap()
        requestMissingConfiguration(&update)
        socket.forgetFailures()
    }

    // MARK: Looking

    /// How long acknowledgements may keep the socket in the background, in milliseconds.
    package static let backgroundGrace = PresenceMachine.longestGrace

    /// When the socket is closed in the background at the latest, on the monotonic clock; `nil` when it is closed, or
    /// the application is in the foreground. The one timer that there can be in the background.
    package var backgroundDeadline: Int64? { presence.wake }

    /// Whether a logout is being reported to the server, on the socket or over REST.
    package var isTellingFarewell: Bool { farewells.run != nil || !calls.reportedFarewells.isEmpty }

    /// The host application was asked for a token and has not answered yet.
    package func isAsking(_ attempt: TokenAttempt) -> Bool { session.isAsking(attempt) }

    /// The names of items that come with an event, and that only the store may know. The driver reads these rows, and hands
    /// them in as `recalled` before the event.
    package func namesToRecall(for event: ChatEvent) -> [String] {
        session.isAuthorized ? IntakeMachine.namesToRecall(for: event, live: socket.live, in: window) : []
    }

    /// How far an own message is; `nil` if it is none, or not known here.
    package func state(of id: MessageID) -> ChatMessageState? {
        window[id]?.delivery.map { visibleState(id, $0) }
    }

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
