import ChatCenterCore
import Foundation
import Synchronization

/// The core and its stores, on their own serial executor.
///
/// No thread takes a lock to reach them. Threads post events and continue; a thread that needs the result of its event
/// waits for it. The effects of a turn are carried out elsewhere, after the turn's changes are stored on disk.
actor ChatEngine {
    /// The state that turns change. A value type: if a commit fails, the previous value is restored.
    struct State {
        var core: ChatCore?
        var lastTicket: UInt64 = 0
        /// The authorized user.
        var session: AuthorizedSession? {
            didSet {
                guard session?.user.identifier != oldValue?.user.identifier else { return }
                lastLocation = nil
                toldUnread = nil
            }
        }
        /// The unread count that was last reported to the app for this user.
        var toldUnread: Int?
        /// The place that the user sent last.
        var lastLocation: (text: String, id: MessageID)?
        /// The user's data that the core received last.
        var toldData: [String: String]?
        /// Whether the app is in the foreground, as last reported by the app.
        var isForeground = true
        var snapshot = ChatSnapshot()
        /// The effects that the turns have requested.
        var effects: [EffectQueue.Step] = []
        /// The readings to start after the turns' changes are stored on disk.
        var readings: [Reading] = []
        /// The messages of logged-out users. Once all effects are carried out, their states are no longer reported.
        var goodbye: Set<MessageID>?
        /// The results of `send`.
        var replies: [Ticket: Result<MessageID, SendRefusal>] = [:]
    }

    /// A request to read from the store.
    enum Reading {
        case page(HistoryQuery)
        case search(SearchQuery)
    }

    /// Thrown to roll back a group of turns.
    private struct Ungrouped: Error {}

    /// The maximum number of frames that are committed together. A waiting call is behind at most one such group, and
    /// behind jobs that were posted earlier. Further ones are committed with the next group.
    private static let mostFrames = 50

    nonisolated let executor: any ChatExecutor
    nonisolated let readers: any ChatExecutor
    nonisolated let configuration: DriverConfiguration
    nonisolated let environment: ChatEnvironment
    nonisolated let errors: ErrorTable
    nonisolated let log: ChatLog
    nonisolated let hub: ChatHub
    /// The state for readers that do not wait for the engine.
    nonisolated let published = OrderedMutex(.published, ChatSnapshot())
    private nonisolated let isShutDown = Atomic(false)
    private nonisolated let inbox = ChatInbox()
    nonisolated let outlet: EffectQueue

    /// Internal, because extensions in other files use it.
    var state = State()
    var stores: [String: SQLiteChatStore] = [:]
    /// The time at which the timer fires, and its tolerance.
    private var armed: (at: Int64?, tolerance: Int64) = (nil, 0)
    /// Created when the network path is first observed.
    private var pathMonitor: (any ChatPathMonitor)?
    private var isWatchingPath = false
    /// The user whose turns are currently committed together.
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

    // MARK: Posting

    /// Posts an event.
    nonisolated func post(_ event: ChatEvent) {
        if inbox.add(.event(event)) { sendBlock() }
    }

    /// Posts work.
    nonisolated func post(_ work: @escaping @Sendable (isolated ChatEngine) -> Void) {
        if inbox.add(.work(work)) { sendBlock() }
    }

    /// Posts work and returns its result. Everything that was posted earlier is also done then. Blocks.
    ///
    /// - Parameter fallback: The result if the work never runs.
    nonisolated func wait<Value: Sendable>(
        otherwise fallback: Value, _ work: @escaping @Sendable (isolated ChatEngine) -> Value
    ) -> Value {
        let answer = SharedValue(fallback)
        let number = inbox.addAwaited(.work { engine in answer.set(work(engine)) })
        // Later jobs are not waited for, even if they keep arriving.
        executor.wait { [self] in
            while !inbox.hasTaken(number) { doNextJob() }
            if inbox.schedules() { sendBlock() }
        }
        return answer.value
    }

    /// Posts work and suspends until it is done.
    nonisolated func result<Value: Sendable>(
        of work: @escaping @Sendable (isolated ChatEngine) -> Value
    ) async -> Value {
        await withCheckedContinuation { continuation in
            post { engine in continuation.resume(returning: work(engine)) }
        }
    }

    /// Schedules one job on the executor, then the next, so that other work can run in between.
    private nonisolated func sendBlock() {
        executor.run { [self] in
            doNextJob()
            if inbox.blockEnded() { sendBlock() }
        }
    }

    /// Runs one job, or handles the frames that wait together. Runs on the executor.
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

    /// Stops handling events and reading. Work in progress ends, then the stores are closed.
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

    /// Handles events; those of a group are committed together.
    private func handle(_ events: [ChatEvent]) {
        guard !hasStopped else { return }
        let bringsMuch = events.count > 1 || events.contains(where: \.isHistory)
        if !bringsMuch || !handleTogether(events) {
            for event in events { turn(on: event) }
        }
        finishTurns()
    }

    /// Handles events with one commit for all of them. Returns `false` if that failed; then nothing has changed.
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

    /// Handles an event and the events that follow from it.
    func turn(on event: ChatEvent) {
        guard !hasStopped else { return }
        switch event {
        case .wake: armed = (nil, 0)
        case .enteredBackground: state.isForeground = false
        case .enteredForeground: state.isForeground = true
        default: break
        }
        let isFirst = state.core == nil
        let wasTelling = state.core?.isTellingFarewell == true
        recall(for: event)
        turns(event)
        // After the first event, because the first event authorizes a user without pending logouts.
        for farewell in isFirst ? foundFarewells() : [] { turns(.pendingFarewell(farewell)) }
        // The frames of a logged-out user were logged with that user's name and token.
        if wasTelling, state.core?.isTellingFarewell == false { sayGoodbye([]) }
    }

    /// Starts the effects that the turns requested, and publishes their changes.
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

    /// Passes what the store knows of repeated items to the core. Unreadable items count as missing.
    private func recall(for event: ChatEvent) {
        guard let clientID = state.session?.identity.clientID,
            let names = state.core?.namesToRecall(for: event), !names.isEmpty,
            let known = try? store(of: clientID).messages(named: names), !known.isEmpty
        else { return }
        turns(.recalled(known))
    }

    /// Handles an event and the events that follow from it. A failed commit is such an event, and is handled first. The
    /// turn that handles it commits nothing, so the loop ends.
    private func turns(_ event: ChatEvent) {
        var next: ChatEvent? = event
        while let event = next { next = turn(event) }
    }

    /// Calls the core once. Returns the event for a failed commit.
    private func turn(_ event: ChatEvent) -> ChatEvent? {
        if state.core == nil { start() }
        let effects = state.core?.handle(event, at: environment.clock.now(), entropy: environment.entropy()) ?? []
        if let watch = environment.watch, let core = state.core { watch.handled(event, effects, core) }
        for effect in effects {
            switch effect {
            case .commit(let transaction):
                // A deleted folder cannot be restored by a rollback, and another user's store is not part of the group.
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
                    // The core reports the response to every poll.
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

    /// Adds a log line to the effects.
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

    // MARK: Timer and network path

    /// Sets the engine's only timer to the core's next deadline.
    private func arm() {
        let next = (hasStopped ? nil : state.core?.alarm) ?? (nil, 0)
        guard next != armed else { return }
        armed = next
        environment.clock.wake(at: next.at, tolerance: next.tolerance) { [weak self] in self?.post(.wake) }
    }

    /// Observes the device's network path while a user is authorized and the app is in the foreground. In the
    /// background nothing runs.
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
