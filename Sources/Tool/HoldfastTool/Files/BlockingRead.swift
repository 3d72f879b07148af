import Dispatch
import Synchronization

/// Runs calls that block, such as reads of a pipe, on a thread of their own. Waiting for the result blocks no thread
/// and can be cancelled.
enum BlockingRead {
    /// Runs `body` on the queue and returns its result. Rethrows its error.
    ///
    /// Throws `CancellationError` when the task is cancelled. `body` then still runs to its end, and its result is
    /// lost.
    static func run<Value: Sendable>(
        on queue: DispatchQueue, _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        let wait = Wait<Value>()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in
                guard wait.begin(waiter) else { return waiter.resume(throwing: CancellationError()) }
                queue.async {
                    let result = Result { try body() }
                    wait.end()?.resume(with: result)
                }
            }
        } onCancel: {
            wait.end()?.resume(throwing: CancellationError())
        }
    }

    /// Waits for one result, until it is available or the task is cancelled, whichever is first.
    private final class Wait<Value: Sendable>: Sendable {
        typealias Waiter = CheckedContinuation<Value, any Error>

        private let state = Mutex<(waiter: Waiter?, isOver: Bool)>((nil, false))

        /// Begins to wait. Returns `false` if the wait is already over.
        func begin(_ waiter: Waiter) -> Bool {
            state.withLock { state in
                if !state.isOver { state.waiter = waiter }
                return !state.isOver
            }
        }

        /// Returns the waiter to the first caller.
        func end() -> Waiter? {
            state.withLock { state in
                defer { state = (nil, true) }
                return state.waiter
            }
        }
    }
}
