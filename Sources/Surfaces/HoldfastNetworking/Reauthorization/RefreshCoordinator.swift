import Synchronization

/// Runs one refresh for all who ask for one while it is under way, and tells each of them how it ended.
final class RefreshCoordinator: Sendable {
    private struct State {
        var isUnderWay = false
        var lastWaiter = 0
        var waiting: [Int: CheckedContinuation<Void, any Error>] = [:]
    }

    /// The coordinators inside whose refresh this task runs.
    @TaskLocal private static var refreshing: Set<ObjectIdentifier> = []

    private let state = Mutex(State())

    /// Whether the caller is a part of this coordinator's refresh, and would wait for itself.
    var isInsideRefresh: Bool { Self.refreshing.contains(ObjectIdentifier(self)) }

    /// How many wait for the refresh that is under way.
    var waiting: Int { state.withLock { $0.waiting.count } }

    /// Waits for the refresh that is under way, or starts one. Throws what the refresh throws, or `CancellationError` where
    /// the caller's task is cancelled.
    ///
    /// A refresh that has started is not cancelled, even if nobody waits for it any more: the server may have taken back the
    /// old token already, and whoever asks next waits for the same one.
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
                // The handler below may have run before there was anybody to tell.
                if Task.isCancelled { leave(waiter) }
            }
        } onCancel: {
            leave(waiter)
        }
    }

    private func run(_ work: @escaping @Sendable () async throws -> Void) {
        let inside = Self.refreshing.union([ObjectIdentifier(self)])
        Task {  // reason: the refresh is for all who wait, and outlives the one who started it
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
