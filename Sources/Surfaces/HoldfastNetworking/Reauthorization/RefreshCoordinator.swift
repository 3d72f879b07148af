import Synchronization

/// Runs one refresh for all concurrent callers and gives each of them its result.
final class RefreshCoordinator: Sendable {
    private struct State {
        var isUnderWay = false
        var lastWaiter = 0
        var waiting: [Int: CheckedContinuation<Void, any Error>] = [:]
    }

    /// The coordinators whose refresh the current task belongs to.
    @TaskLocal private static var refreshing: Set<ObjectIdentifier> = []

    private let state = Mutex(State())

    /// Whether the caller belongs to this coordinator's refresh and would therefore wait for itself.
    var isInsideRefresh: Bool { Self.refreshing.contains(ObjectIdentifier(self)) }

    /// The number of callers that wait for the running refresh.
    var waiting: Int { state.withLock { $0.waiting.count } }

    /// Waits for the running refresh, or starts one. Throws the refresh's error, or `CancellationError` if the caller's
    /// task is cancelled.
    ///
    /// A started refresh is not cancelled, even if all callers have stopped waiting. The server may already have
    /// revoked the old token, and the next caller waits for the same refresh.
    func refresh(_ work: @escaping @Sendable () async throws -> Void) async throws {
        let waiter = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let starts = state.withLock { state in
                    state.waiting[waiter] = continuation
                    defer { state.isUnderWay = true }
                    return !state.isUnderWay
                }
                if starts { run(work) }
                // The cancellation handler may have run before the waiter was registered.
                if Task.isCancelled { leave(waiter) }
            }
        } onCancel: {
            leave(waiter)
        }
    }

    private func run(_ work: @escaping @Sendable () async throws -> Void) {
        let inside = Self.refreshing.union([ObjectIdentifier(self)])
        Task {  // reason: the refresh serves all callers and outlives the one that started it
            let outcome: Result<Void, any Error>
            do {
                try await Self.$refreshing.withValue(inside) { try await work() }
                outcome = .success(())
            } catch {
                outcome = .failure(error)
            }
            let waiting = state.withLock { state in
                state.isUnderWay = false
                defer { state.waiting = [:] }
                return state.waiting.values
            }
            for continuation in waiting { continuation.resume(with: outcome) }
        }
    }

    private func leave(_ waiter: Int) {
        state.withLock { $0.waiting.removeValue(forKey: waiter) }?.resume(throwing: CancellationError())
    }
}
