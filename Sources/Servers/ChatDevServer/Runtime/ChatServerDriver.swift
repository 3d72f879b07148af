import ChatServerCore
import ChatWire
import HoldfastWebSocket
import Logging
import NIOCore
import NIOPosix
import Synchronization

/// Carries the core's effects out: it holds the lock, the store, the sockets' outlets and the one timer.
///
/// Events are taken on a thread pool, since a commit waits for the disk: nothing that runs on the cooperative pool waits
/// for the lock. One event is handled at a time, effects included, so that what goes to a socket goes in the core's order.
final class ChatServerDriver: Sendable {
    struct State {
        var core: ChatServerCore
        var outlets: [ConnectionID: AsyncStream<SocketOutput>.Continuation] = [:]
        var timer: (due: Int64, scheduled: Scheduled<Void>)?
        /// Set when the store has failed and could not be read again: everything is refused from then on.
        var isBroken = false
        var isStopped = false
        /// Shows another identity to new connections; set once by the server.
        var present: @Sendable (String) -> Void = { _ in }
    }

    /// Frames that wait for a slow socket before it is cut.
    private static let outputLimit = 1_024

    let store: ChatServerStore
    let clock: ServerTimeSource
    let entropy: RandomSource
    let logger: Logger
    let threads = NIOThreadPool.singleton
    let timerLoop: any EventLoop = MultiThreadedEventLoopGroup.singleton.next()
    let state: Mutex<State>
    /// What may be uploaded now. Read on event loops, where nothing may wait for the disk: apart from the lock.
    let uploadRules: Mutex<UploadRules>
    let pendingUpgrades = PendingUpgrades()
    private let counters = SocketCounters()

    /// Starts with what the store holds. Blocks on the disk.
    init(
        settings: ChatServerSettings, store: ChatServerStore, clock: ServerTimeSource, entropy: RandomSource,
        logger: Logger
    ) throws(ChatDevServerError) {
        let core = ChatServerCore(settings: settings, restored: try store.restore())
        self.store = store
        self.clock = clock
        self.entropy = entropy
        self.logger = logger
        state = Mutex(State(core: core))
        uploadRules = Mutex(UploadRules(settings.configuration.attachmentSettings))
    }

    /// Says how an identity is shown. Called once, before the server runs.
    func presents(_ present: @escaping @Sendable (String) -> Void) {
        state.withLock { $0.present = present }
    }

    // MARK: Sockets

    /// Announces a socket; what goes out over it comes as a stream that ends with the connection.
    func connect(token: String?) async -> (id: ConnectionID, output: AsyncStream<SocketOutput>) {
        let (output, outlet) = AsyncStream.makeStream(
            of: SocketOutput.self, bufferingPolicy: .bufferingOldest(Self.outputLimit))
        let id = counters.open()
        await onPool { self.open(id, token: token, outlet) }
        return (id, output)
    }

    /// No more frames come from a socket.
    func disconnect(_ id: ConnectionID) async {
        await take(.disconnected(id))
    }

    /// A socket that was announced is closed.
    func socketEnded() {
        counters.ended()
    }

    /// Ends all sockets politely and waits until they are gone; takes no further event. A client that does not answer the
    /// close frame is cut after ``SocketGate/closeTimeout``.
    func endSockets() async {
        stop()
        await counters.drained()
    }

    // MARK: Events

    /// Hands an event to the core and carries out what follows; what the core answers, if it was asked something.
    @discardableResult
    func take(_ event: ServerEvent) async -> TurnOutcome {
        await onPool { self.takeBlocking(event) } ?? TurnOutcome()
    }

    /// A REST call and its answer, which may be a planned while late.
    func call(_ request: RESTRequest, from caller: Caller) async -> ServerAnswer {
        await answered(take(.called(counters.nextCall(), request, caller)))
    }

    /// Whether a file may come or go.
    func permission(for transfer: CallName, _ caller: Caller) async -> ServerAnswer {
        await answered(take(.transferAsked(counters.nextCall(), transfer, caller)))
    }

    private func answered(_ outcome: TurnOutcome) async -> ServerAnswer {
        // A server that cannot say lets nobody through.
        guard let answer = outcome.answer else { return .failure(status: 503, ErrorAnswer("server.unavailable")) }
        if outcome.stall > 0 {
            // Whoever goes away meanwhile is answered early, which nobody sees.
            try? await Task.sleep(for: .nanoseconds(outcome.stall))  // reason: a planned delay
        }
        return answer
    }

    /// What the operators' interface is answered; `nil` when the server has stopped.
    func ask(_ request: OperatorRequest) async -> OperatorAnswer? {
        await take(.operatorCalled(counters.nextCall(), request)).report
    }

    /// What becomes of an upgrade; called on event loops.
    func decideOnUpgrade(on loop: any EventLoop) -> EventLoopFuture<WebSocketDecision> {
        let call = counters.nextCall()
        return threads.runIfActive(eventLoop: loop) { self.takeBlocking(.upgradeAsked(call)) }
            .flatMap { outcome in
                guard outcome.stall > 0 else { return loop.makeSucceededFuture(outcome) }
                return loop.scheduleTask(in: .nanoseconds(outcome.stall)) { outcome }.futureResult
            }
            .flatMap { outcome in
                switch outcome.admission {
                case .accept?: loop.makeSucceededFuture(.accept())
                case .refuse(let refusal)?: loop.makeSucceededFuture(.reject(WebSocketRejection(refusal)))
                case .ignore?: self.pendingUpgrades.hold(on: loop)
                case nil: loop.makeSucceededFuture(.reject(.unavailable))
                }
            }
    }

    /// Ends all sockets and the timer, and takes no further event.
    func stop() {
        state.withLock { state in
            state.isStopped = true
            state.timer?.scheduled.cancel()
            state.timer = nil
            endAll(.shuttingDown, &state)
        }
        pendingUpgrades.end()
    }

    /// Runs a job where blocking is allowed; `nil` when the task was cancelled before it began. The pool is the process's
    /// own and outlives every server.
    private func onPool<R: Sendable>(_ job: @escaping @Sendable () -> R) async -> R? {
        try? await threads.runIfActive(job)
    }
}
