import Synchronization

/// A signal that wakes one task. A signal without a waiting task is kept for the next wait; several signals count as
/// one.
final class WakeSignal: Sendable {
    private enum State {
        case idle
        case set
        case waiting(CheckedContinuation<Void, Never>)
    }

    private let state = Mutex(State.idle)

    /// Sets the signal. May be called from any thread; does not block.
    func set() {
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            if case .waiting(let waiter) = state {
                state = .idle
                return waiter
            }
            state = .set
            return nil
        }
        waiter?.resume()
    }

    /// Returns when the signal is set or the task is cancelled. Only one task may wait at a time.
    func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (now, other) = state.withLock { state -> (Bool, CheckedContinuation<Void, Never>?) in
                    if Task.isCancelled { return (true, nil) }
                    switch state {
                    case .set:
                        state = .idle
                        return (true, nil)
                    case .idle:
                        state = .waiting(continuation)
                        return (false, nil)
                    case .waiting(let other):
                        state = .waiting(continuation)
                        return (false, other)
                    }
                }
                other?.resume()
                if now { continuation.resume() }
            }
        } onCancel: {
            let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
                guard case .waiting(let waiter) = state else { return nil }
                state = .idle
                return waiter
            }
            waiter?.resume()
        }
    }

    /// Waits for the signal, but at most for `duration`, using `pause` as a timer.
    func wait(atMost duration: Duration, _ pause: @escaping @Sendable (Duration) async throws -> Void) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.wait() }
            group.addTask { try? await pause(duration) }
            await group.next()
            group.cancelAll()
        }
    }
}
