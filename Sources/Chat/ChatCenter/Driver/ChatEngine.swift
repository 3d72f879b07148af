import ChatCenterCore
import Foundation
import Synchronization

/// The core and its stores, on one serial executor of their own.
///
/// Nobody takes a lock in order to reach them. Threads hand events over and go on; one that must know what came of its event
/// waits for that. What a turn asks for is carried out elsewhere, once what it changed is on the disk.
actor ChatEngine {
    /// What turns change. A value: turns whose commit fails are taken back by putting the one before them in its place.
    struct State {
        var core: ChatCore?
        var lastTicket: UInt64 = 0
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
        /// Whether the app is in the foreground, as it said.
        var isForeground = true
        var snapshot = ChatSnapshot()
        /// What the turns have asked for.
        var effects: [EffectQueue.Step] = []
        /// What is to be read once the turns' changes are on the disk.
        var readings: [Reading] = []
        /// The messages of users who have left: once all effects are carried out, their states are not told any more.
        var goodbye: Set<MessageID>?
        /// Answers to `send`.
        var replies: [Ticket: Result<MessageID, SendRefusal>] = [:]
    }

    /// What is wanted of the store.
    enum Reading {
        case page(HistoryQuery)
        case search(SearchQuery)
    }

    /// Why a group of turns is taken back.
    private struct Ungrouped: Error {}

    /// The most frames whose changes are committed together: a call that waits comes behind one such group at most, and
    /// behind what was handed over before it.
    private static let mostFrames = 50

    nonisolated let executor: any ChatExecutor
    nonisolated let readers: any ChatExecutor
    nonisolated let configuration: DriverConfiguration
    nonisolated let environment: ChatEnvironment
    nonisolated let errors: ErrorTable
    nonisolated let log: ChatLog
    nonisolated let hub: ChatHub
    /// What those see who ask instead of waiting.
    nonisolated let published = OrderedMutex(.published, ChatSnapshot())
    private nonisolated let isShutDown = Atomic(false)
    private nonisolated let inbox = ChatInbox()
    nonisolated let outlet: EffectQueue

    /// For the parts of the engine in other files.
    var state = State()
    var stores: [String: SQLiteChatStore] = [:]
    /// When the timer rings.
    private var armed: Int64?
    /// Made with the first watch.
    private var pathMonitor: (any ChatPathMonitor)?
    private var isWatchingPath = false
    /// The user whose turns are committed together just now.
    private var grouped: String?

    nonisolated var hasStopped: Bool { isShutDown.load(ordering: .acquiring) }

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(
        _ configuration: DriverConfiguration, environment: ChatEnvironment, errors: ErrorTable, log: ChatLog,
        hub: ChatHub
    ) {
        self.configuration = configuration
        self.environment = environment
        self.errors = errors
        self.log = log
        self.hub = hub
        executor = environment.makeExecutor("holdfast.chat.core")
        readers = environment.makeExecutor("holdfast.chat.store")
        outlet = EffectQueue(executor: hub.executor)
    }

    // MARK: Handing over

    /// Hands an event over.
    nonisolated func post(_ event: ChatEvent) {
        if inbox.add(.event(event)) { sendBlock() }
    }

    /// Hands work over.
    nonisolated func post(_ work: @escaping @Sendable (isolated ChatEngine) -> Void) {
        if inbox.add(.work(work)) { sendBlock() }
    }

    /// Hands work over, and returns what came of it when it is done: everything that was handed over before is done too.
    ///
    /// - Parameter fallback: What is returned should the work never run.
    nonisolated func wait<Value: Sendable>(
        otherwise fallback: Value, _ work: @escaping @Sendable (isolated ChatEngine) -> Value
    ) -> Value {
        let answer = Answer(fallback)
        let number = inbox.addAwaited(.work { engine in answer.set(work(engine)) })
        // What comes later is not waited for, however fast it comes.
        executor.wait { [self] in
            while !inbox.hasTaken(number) { doNextJob() }
            if inbox.schedules() { sendBlock() }
        }
        return answer.value
    }

    /// Hands work over, and suspends until it is done.
    nonisolated func result<Value: Sendable>(
        of work: @escaping @Sendable (isolated ChatEngine) -> Value
    ) async -> Value {
        await withCheckedContinuation { continuation in
            post { engine in continuation.resume(returning: work(engine)) }
        }
    }

    /// Has the executor do one job, and then the next one if there is any: other blocks come between.
    private nonisolated func sendBlock() {
        executor.run { [self] in
            doNextJob()
            if inbox.blockEnded() { sendBlock() }
        }
    }

    /// Does one job, or handles the frames that wait together. Runs on the executor.
    private nonisolated func doNextJob() {
        assumeIsolated { engine in
            switch engine.inbox.next() {
            case .work(let work): work(engine)
            case .event(let event) where event.isFrame:
                engine.handle(engine.inbox.nextFrames(after: event, atMost: Self.mostFrames))
            case .event(let event): engine.handle([event])
            case nil: break
            }
        }
    }

    /// From now on nothing is handled or read; what is under way ends, and then the stores are closed.
    nonisolated func shutDown() {
        isShutDown.store(true, ordering: .releasing)
        let owesGoodbye = outlet.close()
        post { engine in
            engine.finishTurns()
            engine.state.core = nil
            engine.state.session = nil
            for store in engine.stores.values { store.close() }
            engine.stores = [:]
            if owesGoodbye { engine.log.eraseSecrets() }
        }
    }

    // MARK: Turns

    /// Handles events, those of a group with one commit.
    private func handle(_ events: [ChatEvent]) {
        guard !hasStopped else { return }
        let bringsMuch = events.count > 1 || events.contains(where: \.isHistory)
        if !bringsMuch || !handleTogether(events) {
            for event in events { turn(on: event) }
        }
        finishTurns()
    }

    /// Handles events with one commit for all of them. Returns whether that went well; if not, nothing has happened.
    private func handleTogether(_ events: [ChatEvent]) -> Bool {
        guard let clientID = state.session?.identity.clientID else { return false }
        let before = state
        grouped = clientID
        environment.watch?.groupBegins()
        defer { grouped = nil }
        do {
            try store(of: clientID).group {
                for event in events {
                    turn(on: event)
                    guard grouped != nil else { throw Ungrouped() }
                }
                try environment.watch?.willCommitGroup()
            }
            environment.watch?.groupEnded(isKept: true)
            return true
        } catch {
            state = before
            environment.watch?.groupEnded(isKept: false)
            return false
        }
    }

    /// Handles an event and what follows from it.
    func turn(on event: ChatEvent) {
        guard !hasStopped else { return }
        switch event {
        case .wake: armed = nil
        case .enteredBackground: state.isForeground = false
        case .enteredForeground: state.isForeground = true
        default: break
        }
        let isFirst = state.core == nil
        let wasTelling = state.core?.isTellingFarewell == true
        recall(for: event)
        turns(event)
        // Behind the first event: who it authorises has nothing to be told of.
        for farewell in isFirst ? foundFarewells() : [] { turns(.pendingFarewell(farewell)) }
        // Frames that were sent for a user who has left were logged with that user's name and token.
        if wasTelling, state.core?.isTellingFarewell == false { sayGoodbye([]) }
    }

    /// Hands over what the turns have asked for, and shows what they have changed.
    func finishTurns() {
        watchPath()
        arm()
        state.snapshot.session = state.session
        state.snapshot.limits = state.core.map {
            ChatAttachmentLimits(maximumBytes: $0.largestFile, fileExtensions: $0.allowedFileExtensions)
        }
        published.withLock { $0 = state.snapshot }
        let (effects, goodbye, readings) = (state.effects, state.goodbye, state.readings)
        (state.effects, state.goodbye, state.readings) = ([], nil, [])
        if !effects.isEmpty || goodbye != nil { outlet.add(effects, goodbye: goodbye) }
        for reading in readings { read(reading) }
    }

    /// Hands the core what the store knows of items that come again. What cannot be read is as good as not there.
    private func recall(for event: ChatEvent) {
        guard let clientID = state.session?.identity.clientID,
            let names = state.core?.namesToRecall(for: event), !names.isEmpty,
            let known = try? store(of: clientID).messages(named: names), !known.isEmpty
        else { return }
        turns(.recalled(known))
    }

    /// An event and what follows from it: a commit that failed is an event of its own, and comes before any other. The
    /// turn that hears of it commits nothing, so that this ends.
    private func turns(_ event: ChatEvent) {
        var next: ChatEvent? = event
        while let event = next { next = turn(event) }
    }

    /// One call of the core. Returns the event that a failed commit is.
    private func turn(_ event: ChatEvent) -> ChatEvent? {
        if state.core == nil { start() }
        let effects = state.core?.handle(event, at: environment.clock.now(), entropy: environment.entropy()) ?? []
        if let watch = environment.watch, let core = state.core { watch.handled(event, effects, core) }
        for effect in effects {
            switch effect {
            case .commit(let transaction):
                // What goes with its folder cannot come back with a group, and another's store is not part of it.
                if let grouped, transaction.user != grouped || transaction.changes.contains(where: \.erases) {
                    self.grouped = nil
                    return nil
                }
                do throws(StoreFailure) {
                    try commit(transaction)
                } catch {
                    log(.error, "The store failed (\(error.kind.rawValue)): \(describe(error))")
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
                state.effects.append(.effect(effect))
            case .publish(let screen):
                state.snapshot.screen = screen
                state.effects.append(.publish)
            case .loadPage(let query): state.readings.append(.page(query))
            case .searchStore(let query): state.readings.append(.search(query))
            case .network, .log, .askForToken, .discardFile, .holdProcess, .releaseProcess:
                state.effects.append(.effect(effect))
            }
        }
        return nil
    }

    /// Adds a line of the log to the effects.
    func log(_ category: ChatLogRecord.Category, _ message: String) {
        state.effects.append(.effect(.log(ChatLogRecord(category, message))))
    }

    private func commit(_ transaction: StoreTransaction) throws(StoreFailure) {
        guard let watch = environment.watch else { return try store(of: transaction.user).commit(transaction) }
        guard try watch.willCommit(transaction) else { return }
        try store(of: transaction.user).commit(transaction)
        watch.didCommit(transaction)
    }

    private func start() {
        let core = ChatCore(settings: environment.settings ?? configuration.settings())
        state.snapshot.configuration = core.configuration
        state.core = core
        if !state.isForeground { turns(.enteredBackground) }
        if let token = environment.deviceToken() { turns(.pushToken(token)) }
    }

    // MARK: Timer and path

    /// The one timer there is.
    private func arm() {
        let next = hasStopped ? nil : state.core?.nextWake
        guard next != armed else { return }
        armed = next
        environment.clock.wake(at: next) { [weak self] in self?.post(.wake) }
    }

    /// Watches the device's way to the network while there is a user and the app is in the foreground, and only then:
    /// in the background nothing runs.
    private func watchPath() {
        let isWanted = state.session != nil && state.isForeground && !hasStopped
        guard isWanted != isWatchingPath else { return }
        isWatchingPath = isWanted
        guard isWanted else {
            pathMonitor?.stop()
            return
        }
        let monitor = pathMonitor ?? environment.makePathMonitor()
        pathMonitor = monitor
        monitor.start { [weak self] path in self?.post(.network(.path(path))) }
    }
}
