import ChatServerCore
import ChatWire
import Logging
import NIOCore
import NIOPosix
import Synchronization

/// Carries the core's effects out: it holds the lock, the store, the sockets' outlets and the one timer.
///
/// Events are taken on a thread pool, since a commit waits for the disk. One event is handled at a time, effects included,
/// so that what goes to a socket goes in the core's order.
final class ChatServerDriver: Sendable {
    private struct State {
        var core: ChatServerCore
        var outlets: [ConnectionID: AsyncStream<SocketOutput>.Continuation] = [:]
        var connectionCount: UInt64 = 0
        /// Sockets whose session has not ended.
        var openSockets = 0
        /// Who waits for the last of them.
        var drainWaiters: [CheckedContinuation<Void, Never>] = []
        var callCount: UInt64 = 0
        var timer: (due: Int64, scheduled: Scheduled<Void>)?
        /// Set when the store has failed and could not be read again: everything is refused from then on.
        var isBroken = false
        var isStopped = false
    }

    /// Frames that wait for a slow socket before it is cut.
    private static let outputLimit = 1_024

    let store: ChatServerStore
    private let clock: ServerClock
    private let entropy: EntropySource
    private let logger: Logger
    private let threads = NIOThreadPool.singleton
    private let timerLoop: any EventLoop = MultiThreadedEventLoopGroup.singleton.next()
    private let state: Mutex<State>

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

    // MARK: Events

    /// Announces a socket; what goes out over it comes as a stream that ends with the connection.
    func connect(token: String?) async -> (id: ConnectionID, output: AsyncStream<SocketOutput>) {
        let (output, outlet) = AsyncStream.makeStream(
            of: SocketOutput.self, bufferingPolicy: .bufferingOldest(Self.outputLimit))
        let id = state.withLock { state in
            state.connectionCount += 1
            state.openSockets += 1
            let id = ConnectionID(state.connectionCount)
            if state.isStopped || state.isBroken {
                outlet.yield(.close(state.isStopped ? .shuttingDown : .storeFailed))
                outlet.finish()
            } else {
                state.outlets[id] = outlet
            }
            return id
        }
        await take(.connected(id, token: token))
        return (id, output)
    }

    /// Hands an event to the core and carries out what follows; the answer, if the event was a call.
    @discardableResult
    func take(_ event: ServerEvent) async -> ServerAnswer? {
        // The pool is the process's own and outlives every server, so that the job cannot be refused.
        try? await threads.runIfActive { self.takeBlocking(event) }
    }

    /// A REST call and its answer.
    func call(_ request: RESTRequest, from caller: Caller) async -> ServerAnswer {
        let id = state.withLock { state in
            state.callCount += 1
            return CallID(state.callCount)
        }
        return await take(.called(id, request, caller))
            ?? .failure(status: 503, WireFailure("server.unavailable"))
    }

    /// Why a token is not accepted; `nil` when it is.
    func refusal(of token: String?) -> WireFailure? {
        state.withLock { $0.core.refusal(of: token) }
    }

    /// No more frames come from a socket.
    func disconnect(_ id: ConnectionID) async {
        let outlet = state.withLock { $0.outlets.removeValue(forKey: id) }
        outlet?.finish()
        await take(.disconnected(id))
    }

    /// A socket that was announced is closed.
    func socketEnded() {
        let waiters = state.withLock { state in
            state.openSockets -= 1
            guard state.openSockets == 0 else { return [CheckedContinuation<Void, Never>]() }
            defer { state.drainWaiters = [] }
            return state.drainWaiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Ends all sockets politely and waits until they are gone; takes no further event. A client that does not answer the
    /// close frame is cut after ``SocketGate/closeTimeout``.
    func endSockets() async {
        stop()
        await withCheckedContinuation { continuation in
            let isDone = state.withLock { state in
                if state.openSockets > 0 { state.drainWaiters.append(continuation) }
                return state.openSockets == 0
            }
            if isDone { continuation.resume() }
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
    }

    // MARK: Effects

    private func takeBlocking(_ event: ServerEvent) -> ServerAnswer? {
        state.withLock { state in
            guard !state.isBroken, !state.isStopped else { return nil }
            let effects = state.core.handle(event, at: clock.now(), entropy: entropy.next())
            let answer = carryOut(effects, &state)
            arm(&state)
            return answer
        }
    }

    private func carryOut(_ effects: [ServerEffect], _ state: inout State) -> ServerAnswer? {
        var answer: ServerAnswer?
        for effect in effects {
            switch effect {
            case .commit(let writes):
                do {
                    try store.commit(writes)
                } catch {
                    // Nobody has heard of this turn yet, and nobody will.
                    recover(from: error, &state)
                    return nil
                }
            case .send(let id, let frame):
                emit(.frame(frame.bytes), to: id, &state)
            case .close(let id, let reason):
                emit(.close(.core(reason)), to: id, &state)
                state.outlets.removeValue(forKey: id)?.finish()
            case .answer(_, let given):
                answer = given
            case .note(let note):
                logger.debug("Chat server", metadata: ["note": "\(note.rawValue)"])
            }
        }
        return answer
    }

    private func emit(_ output: SocketOutput, to id: ConnectionID, _ state: inout State) {
        guard let outlet = state.outlets[id] else { return }
        if case .dropped = outlet.yield(output) {
            // A peer that does not read is cut: a frame left out would break the order.
            outlet.finish()
            state.outlets[id] = nil
        }
    }

    private func endAll(_ end: SocketEnd, _ state: inout State) {
        for outlet in state.outlets.values {
            outlet.yield(.close(end))
            outlet.finish()
        }
        state.outlets = [:]
    }

    /// The memory is ahead of the disk: all sockets end, and the disk decides what has happened.
    private func recover(from error: ChatDevServerError, _ state: inout State) {
        logger.error("The chat server's database failed", metadata: ["error": "\(error)"])
        endAll(.storeFailed, &state)
        do {
            state.core = ChatServerCore(settings: state.core.settings, restored: try store.restore())
        } catch {
            logger.error("The chat server cannot go on", metadata: ["error": "\(error)"])
            state.isBroken = true
        }
    }

    // MARK: Time

    /// Sees to it that the timer, if one is needed, is set to the core's next wake-up.
    private func arm(_ state: inout State) {
        let wake = state.core.nextWake
        guard wake != state.timer?.due else { return }
        state.timer?.scheduled.cancel()
        state.timer = wake.map { due in
            let delay = TimeAmount.nanoseconds(max(0, due - clock.now().monotonic))
            let scheduled = timerLoop.scheduleTask(in: delay) { self.wake(due) }
            return (due, scheduled)
        }
    }

    private func wake(_ due: Int64) {
        threads.submit { _ in
            self.state.withLock { state in
                // Otherwise a wake-up that comes a little early would be thought to be set still.
                if state.timer?.due == due { state.timer = nil }
            }
            _ = self.takeBlocking(.woke)
        }
    }
}
