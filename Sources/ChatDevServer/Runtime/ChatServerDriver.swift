import ChatServerCore
import ChatWire
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
    }

    /// Frames that wait for a slow socket before it is cut.
    private static let outputLimit = 1_024

    let store: ChatServerStore
    let clock: ServerClock
    let entropy: EntropySource
    let logger: Logger
    let threads = NIOThreadPool.singleton
    let timerLoop: any EventLoop = MultiThreadedEventLoopGroup.singleton.next()
    let state: Mutex<State>
    private let counters = SocketCounters()

    /// Starts with what the store holds. Blocks on the disk.
    init(
        settings: ChatServerSettings, store: ChatServerStore, clock: ServerClock, entropy: EntropySource, logger: Logger
    ) throws(ChatDevServerError) {
        let core = ChatServerCore(settings: settings, restored: try store.restore())
        self.store = store
        self.clock = clock
        self.entropy = entropy
        self.logger = logger
        state = Mutex(State(core: core))
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

    /// Hands an event to the core and carries out what follows; the answer, if the event was a call.
    @discardableResult
    func take(_ event: ServerEvent) async -> ServerAnswer? {
        await onPool { self.takeBlocking(event) } ?? nil
    }

    /// A REST call and its answer.
    func call(_ request: RESTRequest, from caller: Caller) async -> ServerAnswer {
        await take(.called(counters.nextCall(), request, caller))
            ?? .failure(status: 503, WireFailure("server.unavailable"))
    }

    /// Why a token is not accepted; `nil` when it is.
    func refusal(of token: String?) async -> WireFailure? {
        // A server that cannot say accepts nobody.
        await onPool { self.state.withLock { $0.core.refusal(of: token) } } ?? .tokenInvalid
    }

    /// Ends all sockets and the timer, and takes no further event.
    func stop() {
        state.withLock { state in
            state.isStopped = true
            state.timer?.scheduled.cancel()
            state.timer = nil
            endAll(.shuttingDown, &state)
        }
    }

    /// Runs a job where blocking is allowed; `nil` when the task was cancelled before it began. The pool is the process's
    /// own and outlives every server.
    private func onPool<R: Sendable>(_ job: @escaping @Sendable () -> R) async -> R? {
        try? await threads.runIfActive(job)
    }
}
