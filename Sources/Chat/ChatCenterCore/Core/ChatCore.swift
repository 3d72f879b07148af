import ChatWire

/// The chat as a value type: it takes events and returns effects, without any other side effects.
///
/// The same events at the same times with the same entropy produce the same effects. `handle` accepts every event; an
/// event that does not fit is dropped with a reason in the log. Each turn handles the event, then expired deadlines,
/// then all consequences of the state: socket, queue, uploads, history and read marks.
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
    /// The source of unique numbers for frames, calls and requests of this core.
    var numbers = NumberSequence()

    /// Creates a chat without a user. `authorize` sets the user and the stored data.
    package init(settings: ChatSettings) {
        self.settings = settings.clamped()
        session = SessionMachine(hasTokenProvider: self.settings.hasTokenProvider)
        conversation = ConversationMachine(self.settings)
        configurator = ConfigurationMachine(self.settings)
    }

    /// Handles an event with fresh randomness, and returns the effects in the order of their execution.
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
            .reopenThread, .searchTyped, .searchMore, .showContext, .loadOlderContext, .loadNewerContext,
            .closeContext, .send, .resend, .discard, .download, .cancelTransfer, .unreadCount, .fetchMissed, .search,
            .recalled, .page, .found:
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
            awaitsToken: session.wake != nil, mayPoll: mayCall && !calls.contains(.unreadPoll),
            hasRoute: route.hasRoute, isForeground: isForeground,
            isLooking: presence.isLooking, isSocketReady: socket.isReady, isFarewell: farewells.run != nil)
    }

    // MARK: The screen

    private mutating func screenAppeared(_ screen: ScreenID, _ update: inout CoreUpdate) {
        guard session.isAuthorized, presence.appeared(screen) else {
            update.log(.info, "ignored a screen: it is not the newest one, or no user is authorized")
            return
        }
        if configuration.scrollToLatest.value { screenComposer.scroll(to: conversation.newestMessage) }
        // Tells the server over the ready socket that the chat is open, and sends the user's data.
        if socket.isReady, farewells.run == nil { transmitClientInfo(for: .courtesy, &update) }
        requestMissingConfiguration(&update)
        if !conversation.hasHistory { wantGap() }
    }

    /// The machines that the screen's state is composed from.
    var sources: ScreenComposer.Sources {
        conversation.sources(
            session: session, configurator: configurator, presence: presence, socket: socket, commits: commits)
    }

    /// The state of the screen, as it is published.
    package var screen: ChatScreenState { screenComposer.screen(sources) }

    /// Requests all messages after the cursor.
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

    /// The longest time that pending acknowledgements keep the socket open in the background, in milliseconds.
    package static let backgroundGrace = PresenceMachine.longestGrace

    /// The latest time at which the socket is closed in the background, on the monotonic clock; `nil` if the socket is
    /// closed or the application is in the foreground. This is the only timer that runs in the background.
    package var backgroundDeadline: Int64? { presence.wake }

    /// Whether a logout is being reported to the server, on the socket or over REST.
    package var isTellingFarewell: Bool { farewells.run != nil || !calls.reportedFarewells.isEmpty }

    /// Returns whether the host application was asked for this token and has not answered yet.
    package func isAsking(_ attempt: TokenAttempt) -> Bool { session.isAsking(attempt) }

    /// Returns the ids of items in an event that only the store may contain. The driver reads these rows and sends them
    /// as `recalled` before the event.
    package func namesToRecall(for event: ChatEvent) -> [String] {
        session.isAuthorized ? conversation.namesToRecall(for: event, live: socket.live) : []
    }

    /// Returns the state of an own message; `nil` if the message is not the client's own or not in memory.
    package func state(of id: MessageID) -> ChatMessageState? { conversation.state(of: id) }

    /// Returns a message in memory, own or received.
    package func message(_ id: MessageID) -> StoredMessage? { conversation.message(id) }

    /// The effective settings and their origins.
    package var configuration: EffectiveConfiguration { configurator.effective }

    /// The largest file size in bytes; 30 MB unless the server sent another limit.
    package var largestFile: Int64 { configurator.largestFile }

    /// The file extensions that the server accepts, in lower case and without a dot; empty if it accepts all.
    package var allowedFileExtensions: [String] { configurator.fileExtensions }

    /// The client id of the authorized user.
    package var authorisedClientID: String? { session.clientID }

    /// The generation of the current socket, if there is one.
    package var liveGeneration: Generation? { socket.live }

    /// The state of the connection, for the host application and the screen.
    package var connection: ChatConnectionState { socket.connection }

    /// Whether a message was sent and its outcome is unknown.
    package var awaitsOutcome: Bool { conversation.awaitsOutcome }

    /// Whether a thread was opened and is not closed yet.
    package var isDialogActive: Bool { conversation.isDialogActive }

    var isForeground: Bool { presence.isForeground }

    /// The times for the socket that are in force.
    var rules: SocketRules { SocketRules(settings, configuration) }

    /// Whether REST calls are possible: a user is authorized, and the token is not known to be refused.
    var mayCall: Bool { session.mayCall }
}

extension ChatEffect {
    var isCommit: Bool {
        if case .commit = self { true } else { false }
    }
}

// Handles a store failure in the middle of a turn. The driver executed everything before the failed commit and nothing
// after it. The core knows its last turn, so it requests the skipped effects again.
extension ChatCore {
    mutating func commitFailed(
        _ transaction: StoreTransaction, _ failure: StoreFailure, _ update: inout CoreUpdate
    ) {
        guard let lost = commits.failed(transaction, failure, &update) else {
            update.log(.error, "ignored a failed commit that does not belong to the last turn")
            return
        }
        screenComposer.publishAgain()
        update.log(.error, "the store failed: \(failure.kind.rawValue)")
        for effect in lost { recover(effect, failure, &update) }
        // The rest of that turn may refer to a message that was not accepted. All of it is removed.
        for case .commit(let transaction) in lost where transaction.ticket != nil {
            for case .saveMessage(let message) in transaction.changes { update.forget(message.id) }
        }
    }

    private mutating func recover(_ effect: ChatEffect, _ failure: StoreFailure, _ update: inout CoreUpdate) {
        switch effect {
        case .commit(let transaction):
            if transaction.ticket == nil { update.commit(transaction) } else { conversation.forgetUnkept(transaction) }
        case .network(.transmit(_, _, let frame)) where takeBack(frame): break
        case .notify(.loggedOut(let ticket, let outcome)): commits.tellOutcome(.loggedOut(ticket, outcome), &update)
        case .publish: break
        case .acknowledge, .network, .notify, .log, .askForToken, .loadPage, .searchStore, .discardFile, .holdProcess,
            .releaseProcess:
            perform(conversation.recover(effect, failure), &update)
        }
    }

    /// Takes back a message whose sending could not be stored. Returns whether the frame belongs to a message.
    private mutating func takeBack(_ frame: ClientFrame) -> Bool {
        guard let id = frames.takeBack(frame.correlationID) else { return false }
        conversation.takeBack(id)
        return true
    }
}
