import ChatServerCore
import ChatWire
import HoldfastWebSocket
import Logging
import NIOCore
import NIOPosix
import Synchronization

/// Executes the core's effects. Holds the lock, the store, the sockets' outputs and the single timer.
///
/// Events are handled on a thread pool, because a commit waits for the disk, and the cooperative pool must not wait for
/// the lock. One event and its effects are handled at a time, so that the frames of a socket are sent in the core's
/// order.
final class ChatServerDriver: Sendable {
    struct State {
        var core: ChatServerCore
        var outlets: [ConnectionID: AsyncStream<SocketOutput>.Continuation] = [:]
        /// The streams of the operator desk.
        var desks: [DeskSeat: OpenDesk] = [:]
        var timer: (due: Int64, scheduled: Scheduled<Void>)?
        /// Whether the store has failed and could not be read again. Then every event is refused.
        var isBroken = false
        var isStopped = false
        /// Presents another identity to new connections; set once by the server.
        var present: @Sendable (String) -> Void = { _ in }
    }

    /// The maximum number of frames that wait for a slow socket before it is disconnected.
    private static let outputLimit = 1_024

    let store: ChatServerStore
    let clock: ServerTimeSource
    let entropy: RandomSource
    let logger: Logger
    let threads = NIOThreadPool.singleton
    let timerLoop: any EventLoop = MultiThreadedEventLoopGroup.singleton.next()
    let state: Mutex<State>
    /// The current upload rules. Read on event loops, which must not wait for the disk, so they have their own lock.
    let uploadRules: Mutex<UploadRules>
    let pendingUpgrades = PendingUpgrades()
    let counters = SocketCounters()

    /// Creates a driver with the stored state. Blocks on the disk.
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

    /// Sets the closure that presents an identity. Called once, before the server runs.
    func presents(_ present: @escaping @Sendable (String) -> Void) {
        state.withLock { $0.present = present }
    }

    // MARK: Sockets

    /// Registers a socket. The returned stream has its outgoing frames and ends with the connection.
    func connect(token: String?) async -> (id: ConnectionID, output: AsyncStream<SocketOutput>) {
        let (output, outlet) = AsyncStream.makeStream(
            of: SocketOutput.self, bufferingPolicy: .bufferingOldest(Self.outputLimit))
        let id = counters.open()
        await onPool { self.open(id, token: token, outlet) }
        return (id, output)
    }

    /// Records that a registered socket is closed.
    func socketEnded() {
        counters.ended()
    }

    /// Closes all sockets and waits until they have ended; handles no further events. A client that does not answer the
    /// close frame within ``SocketGate/closeTimeout`` is disconnected.
    func endSockets() async {
        stop()
        await counters.drained()
    }

    // MARK: Events

    /// Passes an event to the core and executes its effects. Returns the core's answer, if there is one.
    @discardableResult
    func take(_ event: ServerEvent) async -> TurnOutcome {
        await onPool { self.takeBlocking(event) } ?? TurnOutcome()
    }

    /// Makes a REST call and returns its answer, possibly after a planned delay.
    func call(_ request: RESTRequest, from caller: Caller) async -> ServerAnswer {
        await answered(take(.called(counters.nextCall(), request, caller)))
    }

    /// Returns whether a file may be uploaded or downloaded.
    func permission(for transfer: CallName, _ caller: Caller) async -> ServerAnswer {
        await answered(take(.transferAsked(counters.nextCall(), transfer, caller)))
    }

    private func answered(_ outcome: TurnOutcome) async -> ServerAnswer {
        // Without an answer of the core, the transfer is refused.
        guard let answer = outcome.answer else { return .failure(status: 503, ErrorAnswer("server.unavailable")) }
        if outcome.stall > 0 {
            // If the caller disconnects meanwhile, the answer is early and is not sent.
            try? await Task.sleep(for: .nanoseconds(outcome.stall))  // reason: a planned delay
        }
        return answer
    }

    /// Returns the answer to a request of the operators' interface; `nil` if the server has stopped.
    func ask(_ request: OperatorRequest) async -> OperatorAnswer? {
        await take(.operatorCalled(counters.nextCall(), request)).report
    }

    /// Decides whether an upgrade is granted. Called on event loops.
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

    /// Ends all sockets and the timer, and handles no further events.
    func stop() {
        state.withLock { state in
            state.isStopped = true
            state.timer?.scheduled.cancel()
            state.timer = nil
            endAll(.shuttingDown, &state)
        }
        pendingUpgrades.end()
    }

    /// Runs a job on the thread pool, where blocking is allowed; returns `nil` if the task was cancelled before the job
    /// began. The pool belongs to the process and outlives every server.
    func onPool<R: Sendable>(_ job: @escaping @Sendable () -> R) async -> R? {
        try? await threads.runIfActive(job)
    }
}

/// The core's answers to an event. If all are missing, the server has stopped or its store failed.
struct TurnOutcome: Sendable {
    /// The answer to a REST call.
    var answer: ServerAnswer?
    /// The answer to an upgrade request.
    var admission: UpgradeDecision?
    /// The answer to the operators' interface.
    var report: OperatorAnswer?
    /// The answer to the operator desk.
    var desk: DeskAnswer?
    /// The delay of the answer in nanoseconds.
    var stall: Int64 = 0
}
