import HoldfastWebSocket
import Synchronization

/// An open connection between a server and the command's input, until one of them ends it.
struct WebSocketSession: Sendable {
    /// A signal from one of the session's tasks to the others.
    enum Signal: Sendable {
        /// The input has ended.
        case inputEnded
        /// The requested number of messages has come.
        case enough
        /// Nothing has come for a while since the input ended.
        case quiet
        /// The user or the system interrupts the command.
        case interrupted
        /// A line closes the connection.
        case close(WebSocketCloseCode, String)
        /// The session cannot continue: the input is invalid or the output is closed.
        case stopped(ToolError)
        /// There are no more messages.
        case ended((any Error)?)
    }

    let connection: WebSocketConnection
    let screen: EventTerminal<WebSocketEvent>
    let lines: InputLines
    let plan: WebSocketPlan
    /// Waits. Throws when the task is cancelled.
    var pause: @Sendable (Duration) async throws -> Void = {
        try await Task.sleep(for: $0)  // reason: waits in real time; tests inject another pause
    }
    /// Returns when the user or the system interrupts the command.
    var interruption: @Sendable () async -> Void = { await Interruption.wait() }
    private let tally = MessageTally()

    /// Runs until the connection is closed, and returns how it ended. Throws ``ToolError`` for invalid input and for a
    /// closed output; the connection is closed in these cases, too.
    func run() async throws -> WebSocketEnd {
        let (signals, signaller) = AsyncStream.makeStream(of: Signal.self)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask { await receive(signaller) }
            group.addTask { await obey(signaller) }
            group.addTask {
                await interruption()
                signaller.yield(.interrupted)
            }
            var wasAsked = false
            for await signal in signals {
                switch signal {
                case .inputEnded where !plan.isPrompt:
                    group.addTask { await waitForSilence(signaller) }
                    continue
                case .stopped(let error):
                    await connection.close(.goingAway)
                    throw error
                case .ended(let error):
                    // The peer's close frame may still have to be answered.
                    await connection.close()
                    return end(error, wasAsked: wasAsked)
                case .close(let code, let reason):
                    wasAsked = true
                    await connection.close(code, reason: reason)
                case .interrupted:
                    wasAsked = true
                    // Pending messages would delay the close frame behind them.
                    tally.dropRest()
                    await connection.close(.goingAway)
                case .inputEnded, .enough, .quiet:
                    wasAsked = true
                    await connection.close()
                }
            }
            throw CancellationError()
        }
    }

    private func end(_ error: (any Error)?, wasAsked: Bool) -> WebSocketEnd {
        let received = tally.count
        return WebSocketEnd(
            connection.closure, error: error, received: received, missing: max(0, (plan.count ?? 0) - received),
            wasAsked: wasAsked)
    }

    // MARK: Tasks

    /// Shows messages. Messages after the requested number are read and dropped, because the close frame follows them.
    private func receive(_ signaller: AsyncStream<Signal>.Continuation) async {
        var isShowing = true
        do {
            for try await message in connection.messages where isShowing && !tally.dropsRest {
                do {
                    try screen.show(.message(message))
                } catch {
                    signaller.yield(.stopped(ToolError(describing: error)))
                    isShowing = false
                    continue
                }
                if tally.message() == plan.count {
                    signaller.yield(.enough)
                    isShowing = false
                }
            }
            signaller.yield(.ended(nil))
        } catch {
            signaller.yield(.ended(error))
        }
    }

    private func waitForSilence(_ signaller: AsyncStream<Signal>.Continuation) async {
        tally.touch()
        while true {
            let silence = tally.silence
            guard silence < plan.quiet else { break }
            do { try await pause(plan.quiet - silence) } catch { return }
        }
        signaller.yield(.quiet)
    }
}

/// Counts messages, and records when something last happened. Thread-safe.
final class MessageTally: Sendable {
    private let state: Mutex<(count: Int, last: ContinuousClock.Instant)>
    private let isDropping = Atomic(false)
    private let now: @Sendable () -> ContinuousClock.Instant

    init(now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.now = now
        state = Mutex((0, now()))
    }

    /// The number of messages so far.
    var count: Int { state.withLock { $0.count } }

    /// Whether further messages are neither shown nor counted.
    var dropsRest: Bool { isDropping.load(ordering: .relaxed) }

    /// Ignores further messages.
    func dropRest() { isDropping.store(true, ordering: .relaxed) }

    /// The time since the last event.
    var silence: Duration { state.withLock { $0.last.duration(to: now()) } }

    /// Records a received message. Returns the number of messages.
    func message() -> Int {
        state.withLock { state in
            state = (state.count + 1, now())
            return state.count
        }
    }

    /// Records any other event.
    func touch() {
        state.withLock { $0.last = now() }
    }
}
