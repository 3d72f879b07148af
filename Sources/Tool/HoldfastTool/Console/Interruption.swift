import Dispatch
import Synchronization

/// An interruption of the command: SIGINT, SIGTERM, SIGHUP or a closed standard output.
///
/// The first interruption resumes every caller of ``wait()``. It ends the process if the command never waits, or does
/// not end within ``graceMilliseconds``. A second interruption ends the process at once. See docs/tool.md, "Signals".
/// Thread-safe.
final class Interruption: Sendable {
    /// The cause of an interruption.
    enum Cause: Hashable, Sendable {
        /// The number of a signal.
        case signal(Int32)
        /// The other end of the pipe at standard output is closed.
        case outputClosed
    }

    /// The time in milliseconds that a command has to end by itself.
    static let graceMilliseconds = 2_000

    /// The interruption of this process. ``Holdfast/main()`` connects it to the signals; tests do not.
    static let process = Interruption(graceMilliseconds: graceMilliseconds, endProcess: { $0.endProcess() })

    private struct State {
        var cause: Cause?
        /// Whether the command has begun to wait, so that it ends by itself.
        var isAwaited = false
        var waiters: [UInt64: CheckedContinuation<Void, Never>] = [:]
        var lastWaiter: UInt64 = 0
    }

    private let state = Mutex(State())
    private let graceMilliseconds: Int
    private let endProcess: @Sendable (Cause) -> Void
    /// The queue for the deadlines and the signals. The command's own threads may all be busy.
    let queue = DispatchQueue(label: "holdfast.interruption")

    /// Creates an interruption that only ``handle(_:)`` triggers.
    ///
    /// - Parameters:
    ///   - graceMilliseconds: The time that a command has to end by itself.
    ///   - endProcess: Ends the process at once.
    init(graceMilliseconds: Int, endProcess: @escaping @Sendable (Cause) -> Void) {
        self.graceMilliseconds = graceMilliseconds
        self.endProcess = endProcess
    }

    /// Waits for an interruption of this process. See ``wait()-swift.method``.
    static func wait() async { await process.wait() }

    /// The cause of the interruption; `nil` if there was none.
    var cause: Cause? { state.withLock { $0.cause } }

    /// Waits for an interruption; returns at once after one. Also returns when the task is cancelled.
    func wait() async {
        let id = state.withLock { state in
            state.isAwaited = true
            state.lastWaiter += 1
            return state.lastWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let isOver = state.withLock { state in
                    // A cancellation after this line finds the waiter; an earlier one is detected here.
                    guard state.cause == nil, !Task.isCancelled else { return true }
                    state.waiters[id] = waiter
                    return false
                }
                if isOver { waiter.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: id) }?.resume()
        }
    }

    private enum Reaction {
        case endNow
        case resume([CheckedContinuation<Void, Never>])
        case nothing
    }

    /// Interrupts the command.
    func handle(_ cause: Cause) {
        let reaction: Reaction = state.withLock { state in
            guard state.cause == nil else {
                // An output that closes meanwhile does not cut off a command that is already ending.
                return cause == .outputClosed ? .nothing : .endNow
            }
            state.cause = cause
            guard state.isAwaited else { return .endNow }
            defer { state.waiters = [:] }
            return .resume(Array(state.waiters.values))
        }
        switch reaction {
        case .endNow: endProcess(cause)
        case .nothing: break
        case .resume(let waiters):
            for waiter in waiters { waiter.resume() }
            queue.asyncAfter(deadline: .now() + .milliseconds(graceMilliseconds)) { [endProcess] in endProcess(cause) }
        }
    }
}
