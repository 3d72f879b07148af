import Synchronization

/// A value that one task waits for.
final class OneShot<Value: Sendable>: Sendable {
    private enum State {
        case empty
        case waiting(CheckedContinuation<Value, any Error>)
        case over(Result<Value, any Error>)
    }

    private let state = Mutex(State.empty)

    /// Sets the value. Only the first call counts.
    func fulfil(_ result: Result<Value, any Error>) {
        let waiter = state.withLock { state -> CheckedContinuation<Value, any Error>? in
            if case .over = state { return nil }
            defer { state = .over(result) }
            if case .waiting(let waiter) = state { return waiter }
            return nil
        }
        waiter?.resume(with: result)
    }

    /// Waits for the value. Throws `CancellationError` if the task is cancelled.
    var value: Value {
        get async throws {
            try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { waiter in
                    let result = state.withLock { state -> Result<Value, any Error>? in
                        switch state {
                        case .empty:
                            state = .waiting(waiter)
                            return nil
                        case .over(let result): return result
                        case .waiting: return .failure(CancellationError())  // Only one task ever waits.
                        }
                    }
                    if let result { waiter.resume(with: result) }
                }
            } onCancel: {
                fulfil(.failure(CancellationError()))
            }
        }
    }
}
