import ChatCenterCore
import ChatWire
import HoldfastTransport
import Synchronization

/// Connects the engine with the network. The public types are built on it.
///
/// Most events are posted, and their result appears in a snapshot a moment later. Sending a message, authorizing a
/// user, logging out and creating a screen wait: when such a call returns, its changes are stored on disk.
final class ChatDriver: Sendable {
    let engine: ChatEngine
    private let currentNetwork = OrderedMutex<(any ChatNetwork)?>(.driver, nil)

    var configuration: DriverConfiguration { engine.configuration }
    var environment: ChatEnvironment { engine.environment }
    var errors: ErrorTable { engine.errors }
    var log: ChatLog { engine.log }
    var hub: ChatHub { engine.hub }

    init(_ engine: ChatEngine) {
        self.engine = engine
        engine.outlet.attach { [weak self] step in self?.perform(step) }
    }

    /// Stops all effects and cancels those in progress.
    func shutDown() {
        engine.shutDown()
        let network = currentNetwork.withLock { current in
            defer { current = nil }
            return current
        }
        // Releasing the network ends its sockets and calls.
        _ = consume network
    }

    /// Posts an event to the engine.
    func handle(_ event: ChatEvent) {
        engine.post(event)
    }

    // MARK: Effects

    private func perform(_ step: EffectQueue.Step) {
        switch step {
        case .effect(let effect):
            for _ in 0..<(environment.watch?.repetitions(of: effect) ?? 1) { perform(effect) }
        case .publish: hub.publish { screenState(of: $0) }
        case .goodbye(let fates):
            log.eraseSecrets()
            hub.fates.finish(Array(fates))
        }
    }

    private func perform(_ effect: ChatEffect) {
        switch effect {
        case .network(let command): network()?.perform(command)
        case .notify(let notice): hub.notify(notice)
        case .log(let record): log.write(record.category.level, record.message)
        case .askForToken(let attempt): askForToken(attempt)
        case .discardFile(let file): configuration.discard(file)
        case .holdProcess(let milliseconds): environment.holdProcess(milliseconds)
        case .releaseProcess: environment.holdProcess(nil)
        case .publish, .commit, .acknowledge, .loadPage, .searchStore: break  // The engine handles these itself.
        }
    }

    private func network() -> (any ChatNetwork)? {
        currentNetwork.withLock { current in
            // After the engine has stopped, no code would shut a new network down.
            if current == nil, !engine.hasStopped { current = makeNetwork() }
            return current
        }
    }

    private func askForToken(_ attempt: TokenAttempt) {
        if let ask = environment.askForToken {
            return ask(attempt) { [weak self] answer in self?.tokenArrived(attempt, answer) }
        }
        let provider = configuration.tokenProvider
        Task { [weak self] in  // reason: the app may respond late, and the queue must continue
            do {
                self?.tokenArrived(attempt, try await provider?())
            } catch {
                self?.tokenFailed(attempt, error)
            }
        }
    }

    /// Creates the real network, or the one of the environment. Opens no connection yet.
    private func makeNetwork() -> any ChatNetwork {
        let sink: @Sendable (NetworkEvent) -> Void = { [weak engine] event in engine?.post(.network(event)) }
        if let make = environment.makeNetwork { return make(sink) }
        let clock = environment.clock
        let settle: @Sendable () async -> Void = { [weak engine] in await engine?.result { _ in } }
        let reporter = NetworkReporter(sink: sink, errors: errors, log: log, settle: settle) { clock.now().wall }
        let transport = configuration.config.transportConfig
        guard let endpoints = transport.endpoints, transport.problems.isEmpty else {
            return RefusingNetwork(error: ChatTransportConfigError(problems: transport.problems), reporter: reporter)
        }
        let trust = configuration.trust
        let accepted = configuration.accepted
        let context = trust.context { [log] chain, verdict in
            accepted.note(verdict)
            for line in trust.lines(for: chain, verdict) { log.write(line) }
        }
        let timeouts = configuration.timeouts
        return LiveChatNetwork(
            configuration: TransportConfiguration(
                trust: context, clock: environment.trustClock, connectTimeout: timeouts.longestDial,
                tlsTimeout: timeouts.longestDial, hostOverrides: environment.hostOverrides),
            foreignTrust: trust.foreignContext,
            addresses: ServerAddresses(
                endpoints: endpoints, dialect: .documented, newRoutesEnabled: transport.newRoutesEnabled,
                dataStoreHeaders: transport.dataStoreHTTPHeaders),
            timeouts: timeouts, reporter: reporter
        ) { [weak self] clientID in self?.folder(of: clientID) }
    }
}

extension ChatDriver {
    /// Creates a screen and makes it the current one; `nil` if no user is authorized.
    func newScreen() -> ChatEngine.NewScreen? {
        engine.wait(otherwise: nil) { $0.newScreen() }
    }

    /// The state of a screen, if it is the current one.
    func screenState(of id: ScreenID) -> ChatScreenState? {
        engine.published.withLock { $0.currentScreen == id ? $0.screen : nil }
    }

    /// Tells the core that a screen is visible. New data of the user is sent with the next client information.
    func screenAppeared(_ id: ScreenID) {
        engine.post { engine in
            engine.passOnUserData()
            engine.turn(on: .screenAppeared(id))
            engine.finishTurns()
        }
    }

    /// Loads missed messages, also in the background.
    func fetchMissed(
        _ completion: @escaping @Sendable (Result<Int, any Error>) -> Void
    ) throws(ChatCenterUIError) {
        guard isAuthorized else { throw .userNotAuthorized }
        engine.post { [hub] engine in
            let ticket = engine.nextTicket()
            hub.expect(ticket, .fetch(completion))
            engine.turn(on: .fetchMissed(ticket))
            engine.finishTurns()
        }
    }

    /// Requests the unread count from the server.
    func askUnreadCount(
        _ completion: @escaping @Sendable (Result<Int, any Error>) -> Void
    ) throws(ChatCenterUIError) {
        guard isAuthorized else { throw .userNotAuthorized }
        engine.post { [hub] engine in
            let ticket = engine.nextTicket()
            hub.expect(ticket, .unread(completion))
            engine.turn(on: .unreadCount(ticket))
            engine.finishTurns()
        }
    }
}
