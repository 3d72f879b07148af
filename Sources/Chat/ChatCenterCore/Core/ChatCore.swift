import ChatWire

/// The chat as a value: events go in, effects come out, and nothing else happens.
///
/// The same events at the same moments with the same entropy give the same effects. `handle` is total: an event that
/// does not fit is dropped with a reason in the log. Each turn handles the event, then what is due, then brings
/// everything that follows from the state (socket, queue, uploads, history, read marks) to where it should be.
package struct ChatCore: Hashable, Sendable {
    let settings: ChatSettings

    var session: SessionMachine
    var farewells = FarewellMachine()
    var configurator: ConfigurationMachine
    var presence = PresenceMachine()
    var screenComposer = ScreenComposer()
    var conversation: ConversationMachine
    var serverClock = ServerClock()
    var route = RouteMachine()
    var socket = SocketSupervisor()
    var frames = FrameLedger()
    var calls = CallLedger()
    var commits = CommitLedger()
    /// No two frames, calls or questions of this core have the same one.
    var numbers = NumberSequence()

    /// A chat of nobody yet: `authorize` brings the user and what the store holds of him.
    package init(settings: ChatSettings) {
        self.settings = settings.clamped()
        session = SessionMachine(hasTokenProvider: self.settings.hasTokenProvider)
        conversation = ConversationMachine(self.settings)
        configurator = ConfigurationMachine(self.settings)
    }

    /// Takes an event and says what is to be done, in this order. `entropy` is fresh randomness for each event.
    package mutating func handle(_ event: ChatEvent, at now: Moment, entropy: UInt64) -> [ChatEffect] {
        var update = CoreUpdate(now: now, entropy: entropy)
        commits.begin(event, &update)
        dispatch(event, &update)
        if case .recalled = event {} else { conversation.forgetRecalled() }
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
            presence.begin(screen)
            converse(event, &update)
        case .screenAppeared(let screen): screenAppeared(screen, &update)
        case .screenDisappeared(let screen):
            if presence.disappeared(screen, dialogHasEnded: conversation.isDialogOver) { converse(event, &update) }
        case .reload: reload(&update)
        case .prefill, .typed, .loadOlder, .campaign, .quote, .rateSurvey, .commentSurvey, .submitSurvey, .closeThread,
            .reopenThread, .searchTyped, .searchMore, .send, .resend, .discard, .download, .cancelTransfer,
            .unreadCount, .search, .recalled, .page, .found:
            converse(event, &update)
        case .commitFailed(let transaction, let failure): commitFailed(transaction, failure, &update)
        case .network(let event): networkEvent(event, &update)
        }
    }

    // MARK: The conversation

    /// Hands an event to the conversation.
    mutating func converse(_ event: ChatEvent, _ update: inout CoreUpdate) {
        let actions = conversation.handle(event, conditions(update), numbers: &numbers, entropy: &update.entropy)
        perform(actions, &update)
    }

    func conditions(_ update: CoreUpdate) -> ConversationMachine.Conditions {
        ConversationMachine.Conditions(
            now: update.now, clock: serverClock, configurator: configurator, account: session.account, mayCall: mayCall,
            mayPoll: mayCall && !calls.contains(.unreadPoll), hasRoute: route.hasRoute, isForeground: isForeground,
            isLooking: presence.isLooking, isSocketReady: socket.isReady, isFarewell: farewells.run != nil)
    }

    // MARK: The screen

    private mutating func screenAppeared(_ screen: ScreenID, _ update: inout CoreUpdate) {
        guard session.isAuthorized, presence.appeared(screen) else {
            update.log(.info, "a screen that is not the newest one, or that nobody is authorised for, is deaf")
            return
        }
        if configuration.scrollToLatest.value { screenComposer.scroll(to: conversation.newestMessage) }
        // On a socket that is up already the server learns now that somebody looks, and what the user's data is.
        if socket.isReady, farewells.run == nil { transmitClientInfo(for: .courtesy, &update) }
        requestMissingConfiguration(&update)
        if !conversation.hasHistory { wantGap() }
    }

    /// What the screen shows.
    var sources: ScreenComposer.Sources {
        conversation.sources(
            session: session, configurator: configurator, presence: presence, socket: socket, commits: commits)
    }

    /// The screen as it is published.
    package var screen: ChatScreenState { screenComposer.screen(sources) }

    /// Everything after the cursor is to be fetched.
    mutating func wantGap() {
        if session.isAuthorized { conversation.wantHistory() }
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
        session.isAuthorized ? conversation.namesToRecall(for: event, live: socket.live) : []
    }

    /// How far an own message is; `nil` if it is none, or not known here.
    package func state(of id: MessageID) -> ChatMessageState? { conversation.state(of: id) }

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
    package var awaitsOutcome: Bool { conversation.awaitsOutcome }

    /// A thread was opened and not closed since.
    package var isDialogActive: Bool { conversation.isDialogActive }

    var isForeground: Bool { presence.isForeground }

    /// The times in force for the socket.
    var rules: SocketRules { SocketRules(settings, configuration) }

    /// Calls are made while the token is not known to be refused.
    var mayCall: Bool { session.mayCall }
}

extension ChatEffect {
    var isCommit: Bool {
        if case .commit = self { true } else { false }
    }
}
