import ChatCenterCore
import DequeModule
import Dispatch
import Synchronization

/// Holds the core and its stores under one lock, and carries out what the core asks for.
///
/// An event is handled on the thread that brings it: when the call returns, what had to be kept is on the disk. All
/// other effects go into one queue that is drained in order on the driver's own serial queue, so that nothing slow or
/// foreign runs under the lock.
final class ChatDriver: Sendable {
    struct State {
        var core: ChatCore?
        var stores: [String: any ChatStore] = [:]
        var network: (any ChatNetwork)?
        var effects: Deque<ChatEffect> = []
        /// Behind these the log is cleared of a user who has left, and nobody hears any more of these messages.
        var goodbye: Goodbye?
        var isDraining = false
        var isShutDown = false
        var armed: Int64?
        var lastNumber: UInt64 = 0
        /// Who is authorised.
        var session: AuthorizedSession? {
            didSet {
                guard session?.user.identifier != oldValue?.user.identifier else { return }
                lastLocation = nil
                toldUnread = nil
            }
        }
        /// The unread count that the app was told last of this user.
        var toldUnread: Int?
        /// The place that the user sent last.
        var lastLocation: (text: String, id: MessageID)?
        /// The data of that user that the core was told last.
        var toldData: [String: String]?
        var snapshot = ChatSnapshot()
        var currentScreen: ScreenID?
        /// Whether the app is in the foreground, as it said.
        var isForeground = true
        /// Made with the first watch.
        var pathMonitor: (any ChatPathMonitor)?
        var isWatchingPath = false
        /// Answers to `send` of the turn that is going on.
        var replies: [Ticket: Result<MessageID, SendRefusal>] = [:]
    }

    /// What is left to be done once everything that speaks of a user is done.
    struct Goodbye {
        var fates: Set<MessageID> = []
    }

    /// A step of the queue.
    private enum Step {
        case effect(ChatEffect)
        case goodbye(Goodbye)
    }

    let configuration: DriverConfiguration
    let environment: ChatEnvironment
    let errors: ErrorTable
    let log: ChatLog
    let hub: ChatHub
    let state = Mutex(State())
    let queue: DispatchQueue

    init(
        _ configuration: DriverConfiguration, environment: ChatEnvironment, errors: ErrorTable, log: ChatLog,
        hub: ChatHub
    ) {
        self.configuration = configuration
        self.environment = environment
        self.errors = errors
        self.log = log
        self.hub = hub
        queue = hub.queue
    }

    /// Nothing is carried out any more, and what is under way is called off.
    func shutDown() {
        let network = state.withLock { state in
            state.isShutDown = true
            state.effects = []
            state.core = nil
            state.stores = [:]
            watchPath(&state)
            defer { state.network = nil }
            return state.network
        }
        environment.clock.wake(at: nil) {}
        // Sockets and calls end with the network.
        _ = consume network
    }

    /// Takes an event. Returns when it is handled and what it changed is kept.
    func handle(_ event: ChatEvent) {
        state.withLock { run(event, &$0) }
        drain()
    }

    // MARK: A turn

    /// Handles an event under the lock.
    func run(_ event: ChatEvent, _ state: inout State) {
        guard !state.isShutDown else { return }
        switch event {
        case .wake: state.armed = nil
        case .enteredBackground: state.isForeground = false
        case .enteredForeground: state.isForeground = true
        default: break
        }
        let isFirst = state.core == nil
        let wasTelling = state.core?.isTellingFarewell == true
        recall(for: event, &state)
        turns(event, &state)
        // Behind the first event: who it authorises has nothing to be told of.
        for farewell in isFirst ? foundFarewells(&state) : [] { turns(.pendingFarewell(farewell), &state) }
        // What went over the network for who left was logged with his name and token.
        if wasTelling, state.core?.isTellingFarewell == false { sayGoodbye([], &state) }
        watchPath(&state)
        arm(&state)
    }

    /// Hands the core what the store knows of items that come again. What cannot be read is as good as not there.
    private func recall(for event: ChatEvent, _ state: inout State) {
        guard let clientID = state.session?.identity.clientID,
            let names = state.core?.namesToRecall(for: event), !names.isEmpty,
            let known = try? store(of: clientID, &state).messages(named: names), !known.isEmpty
        else { return }
        turns(.recalled(known), &state)
    }

    /// An event and what follows from it: a commit that failed is an event of its own, and comes before any other. The
    /// turn that hears of it commits nothing, so that this ends.
    private func turns(_ event: ChatEvent, _ state: inout State) {
        var next: ChatEvent? = event
        while let event = next { next = turn(event, &state) }
    }

    /// Somebody has left: behind what is still to be told, nothing of him stays in the log.
    func sayGoodbye(_ fates: [MessageID], _ state: inout State) {
        state.goodbye = state.goodbye ?? Goodbye()
        state.goodbye?.fates.formUnion(fates)
    }

    /// One call of the core. Returns the event that a failed commit is.
    private func turn(_ event: ChatEvent, _ state: inout State) -> ChatEvent? {
        if state.core == nil { start(&state) }
        let effects = state.core?.handle(event, at: environment.clock.now(), entropy: environment.entropy()) ?? []
        for effect in effects {
            switch effect {
            case .commit(let transaction):
                do throws(StoreFailure) {
                    try store(of: transaction.user, &state).commit(transaction)
                } catch {
                    // Not written here: the delegate may be called at once, and would find the lock taken.
                    state.effects.append(
                        .log(ChatLogRecord(.error, "The store failed (\(error.kind.rawValue)): \(describe(error))")))
                    return .commitFailed(transaction, error)
                }
            case .acknowledge(let ticket, let result):
                state.replies[ticket] = result
            case .notify(let notice):
                state.snapshot.note(notice)
                if case .unread(let count) = notice {
                    // The core tells the answer to every poll.
                    if count == state.toldUnread { continue }
                    state.toldUnread = count
                }
                state.effects.append(effect)
            case .publish(let screen):
                state.snapshot.screen = screen
                state.effects.append(effect)
            case .network, .log, .askForToken, .loadPage, .searchStore, .discardFile, .holdProcess, .releaseProcess:
                state.effects.append(effect)
            }
        }
        return nil
    }

    private func start(_ state: inout State) {
        let core = ChatCore(settings: configuration.settings())
        state.snapshot.configuration = core.configuration
        state.core = core
        if !state.isForeground { turns(.enteredBackground, &state) }
        if let token = DeviceToken.current { turns(.pushToken(token), &state) }
    }

    /// The process began in the background: for a push, say. Does no I/O.
    func beganInBackground() {
        let isEarly = state.withLock { state in
            if state.core == nil { state.isForeground = false }
            return state.core == nil
        }
        if !isEarly { handle(.enteredBackground) }
    }

    /// The store of a user, opened if need be.
    func store(of clientID: String, _ state: inout State) -> any ChatStore {
        if let store = state.stores[clientID] { return store }
        let store = SQLiteChatStore(
            folder: configuration.folder(of: clientID), errors: errors,
            sealsExisting: configuration.config.sealsExistingStore)
        state.stores[clientID] = store
        return store
    }

    /// The one timer there is.
    private func arm(_ state: inout State) {
        let next = state.core?.nextWake
        guard next != state.armed else { return }
        state.armed = next
        environment.clock.wake(at: next) { [weak self] in self?.handle(.wake) }
    }

    // MARK: Effects

    /// Lets the queue carry out what turns have asked for.
    func drain() {
        let begins = state.withLock { state in
            guard !state.effects.isEmpty || state.goodbye != nil, !state.isDraining else { return false }
            state.isDraining = true
            return true
        }
        guard begins else { return }
        queue.async { [self] in
            while let step = nextStep() {
                switch step {
                case .effect(let effect): perform(effect)
                case .goodbye(let goodbye):
                    log.eraseSecrets()
                    hub.fates.finish(Array(goodbye.fates))
                }
            }
        }
    }

    private func nextStep() -> Step? {
        state.withLock { state in
            if let effect = state.effects.popFirst() { return .effect(effect) }
            if let goodbye = state.goodbye {
                state.goodbye = nil
                return .goodbye(goodbye)
            }
            state.isDraining = false
            return nil
        }
    }

    private func perform(_ effect: ChatEffect) {
        switch effect {
        case .network(let command): network()?.perform(command)
        case .publish: hub.publish { screenState(of: $0) }
        case .notify(let notice): hub.notify(notice)
        case .log(let record): log.write(record.category.level, record.message)
        case .askForToken(let attempt): askForToken(attempt)
        case .loadPage(let query): loadPage(query)
        case .searchStore(let query): searchStore(query)
        case .discardFile(let file): configuration.discard(file)
        case .holdProcess(let milliseconds): environment.holdProcess(milliseconds)
        case .releaseProcess: environment.holdProcess(nil)
        case .commit, .acknowledge: break  // Done in the turn.
        }
    }

    private func network() -> (any ChatNetwork)? {
        state.withLock { state in
            if state.isShutDown { return nil }
            if let network = state.network { return network }
            let network = makeNetwork()
            state.network = network
            return network
        }
    }

    private func loadPage(_ query: HistoryQuery) {
        state.withLock { state in
            guard let clientID = state.session?.identity.clientID else { return }
            let result: Result<HistoryPage, StoreFailure>
            do throws(StoreFailure) {
                let store = store(of: clientID, &state)
                do throws(StoreFailure) {
                    result = .success(try store.page(query))
                } catch {
                    guard mend(store, error, &state) else { throw error }
                    result = .success(try store.page(query))
                }
            } catch {
                result = .failure(error)
            }
            run(.page(query, result), &state)
        }
    }

    private func searchStore(_ query: SearchQuery) {
        state.withLock { state in
            guard let clientID = state.session?.identity.clientID else { return }
            let result: Result<[SearchHit], StoreFailure>
            do throws(StoreFailure) {
                let store = store(of: clientID, &state)
                var hits = try store.search(query)
                for index in hits.indices where hits[index].content == nil {
                    var next = hits[index].position
                    next.sequence = next.sequence == .max ? .max : next.sequence + 1
                    let page = try store.page(HistoryQuery(before: next, count: 1))
                    hits[index].content = page.messages.first { $0.id == hits[index].id }?.content
                }
                result = .success(hits)
            } catch {
                result = .failure(error)
            }
            run(.found(query, result), &state)
        }
    }

    private func askForToken(_ attempt: TokenAttempt) {
        let provider = configuration.tokenProvider
        Task { [weak self] in  // reason: the app's answer may take its time, and the queue must go on
            do {
                self?.tokenArrived(attempt, try await provider?())
            } catch {
                self?.tokenFailed(attempt, error)
            }
        }
    }

    /// An error of the store with all that is known of it.
    func describe(_ failure: StoreFailure) -> String {
        errors.error(failure.errorID).map { "\($0)" } ?? failure.kind.rawValue
    }
}
