import HoldfastWebSocket
import Synchronization

/// An open connection between a server and somebody's input, until one of them ends it.
struct WebSocketSession: Sendable {
    /// What one of the tasks of a session tells the others.
    enum Signal: Sendable {
        /// There are no more lines.
        case inputEnded
        /// As many messages have come as are wanted.
        case enough
        /// Nothing has come for a while since the input ended.
        case quiet
        /// The person or the system wants an end.
        case interrupted
        /// A line asks for an end.
        case close(WebSocketCloseCode, String)
        /// The session cannot go on: unusable input, output that nobody reads.
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
        try await Task.sleep(for: $0)  // reason: silence and a pong's deadline, in real time; tests hand in another
    }
    /// Returns when the user or the system interrupts the command.
    var interruption: @Sendable () async -> Void = { await Interruption.wait() }
    private let tally = MessageTally()

    /// Runs until the connection is closed, and tells how it ended. Throws ``ToolError`` for unusable input, and for output
    /// that nobody reads; the connection is closed then, too.
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
                    // The peer's close frame may have to be answered yet.
                    await connection.close()
                    return end(error, wasAsked: wasAsked)
                case .close(let code, let reason):
                    wasAsked = true
                    await connection.close(code, reason: reason)
                case .interrupted:
                    wasAsked = true
                    // What is still on the way would hold up the close frame that is behind it.
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

    /// Shows messages. Those behind the last one that is wanted are taken and dropped: the close frame is behind them.
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

/// Counts messages, and knows when something last happened. From any thread.
final class MessageTally: Sendable {
    private let state: Mutex<(count: Int, last: ContinuousClock.Instant)>
    private let isDropping = Atomic(false)
    private let now: @Sendable () -> ContinuousClock.Instant

    init(now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.now = now
        state = Mutex((0, now()))
    }

    /// The messages so far.
    var count: Int { state.withLock { $0.count } }

    /// Whether messages that come from now on are neither shown nor counted.
    var dropsRest: Bool { isDropping.load(ordering: .relaxed) }

    /// Neither shows nor counts the messages that come from now on.
    func dropRest() { isDropping.store(true, ordering: .relaxed) }

    /// The time since something happened.
    var silence: Duration { state.withLock { $0.last.duration(to: now()) } }

    /// A message has come. Returns how many there are now.
    func message() -> Int {
        state.withLock { state in
            state = (state.count + 1, now())
            return state.count
        }
    }

    /// Something else has happened.
    func touch() {
        state.withLock { $0.last = now() }
    }
}
