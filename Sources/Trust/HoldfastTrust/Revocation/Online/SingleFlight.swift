import Synchronization

/// Shares one operation among all callers that need its result at the same time.
///
/// The first caller runs the operation, and the others wait for its result. A waiting caller ends as soon as its task
/// is cancelled. If the task that runs the operation is cancelled, another caller runs the operation again.
final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private typealias Waiter = CheckedContinuation<Result<Value, any Error>?, any Error>

    private struct Storage {
        /// The callers that wait for an operation, by number. A key without callers has a running operation, too.
        var waiters: [Key: [Int: Waiter]] = [:]
        /// The callers whose task was cancelled.
        var cancelled: Set<Int> = []
        var next = 0
    }

    private let storage = Mutex(Storage())

    /// Returns the result of the operation for the key. Runs it unless another caller does.
    ///
    /// Throws the error of the operation. If the caller's task is cancelled, throws `CancellationError` instead.
    func value(for key: Key, _ operation: @Sendable () async throws -> Value) async throws -> Value {
        let number = storage.withLock { storage in
            storage.next += 1
            return storage.next
        }
        defer { storage.withLock { storage in _ = storage.cancelled.remove(number) } }
        return try await withTaskCancellationHandler {
            while true {
                if begin(key) { return try await run(key, number, operation) }
                if let result = try await result(for: key, number) { return try result.get() }
            }
        } onCancel: {
            let waiter = storage.withLock { storage in
                storage.cancelled.insert(number)
                return storage.waiters[key]?.removeValue(forKey: number)
            }
            waiter?.resume(throwing: CancellationError())
        }
    }

    /// Returns the number of callers that wait for the operation of another. For tests.
    func waiters(for key: Key) -> Int { storage.withLock { $0.waiters[key]?.count ?? 0 } }

    /// Returns whether the caller must run the operation.
    private func begin(_ key: Key) -> Bool {
        storage.withLock { storage in
            guard storage.waiters[key] == nil else { return false }
            storage.waiters[key] = [:]
            return true
        }
    }

    private func run(
        _ key: Key, _ number: Int, _ operation: @Sendable () async throws -> Value
    ) async throws -> Value {
        let result: Result<Value, any Error>
        do { result = .success(try await operation()) } catch { result = .failure(error) }
        let (waiters, isCancelled) = storage.withLock { storage in
            (storage.waiters.removeValue(forKey: key) ?? [:], storage.cancelled.contains(number))
        }
        // The failure of a cancelled task says nothing about the operation, so the others try again.
        let isShared = if case .failure = result { !isCancelled } else { true }
        for waiter in waiters.values { waiter.resume(returning: isShared ? result : nil) }
        guard isShared else { throw CancellationError() }
        return try result.get()
    }

    /// Waits for the result of the running operation. Returns `nil` if the caller must try again.
    private func result(for key: Key, _ number: Int) async throws -> Result<Value, any Error>? {
        try await withCheckedThrowingContinuation { (waiter: Waiter) in
            let isCancelled = storage.withLock { storage -> Bool? in
                if storage.cancelled.contains(number) { return true }
                guard storage.waiters[key] != nil else { return false }
                storage.waiters[key]?[number] = waiter
                return nil
            }
            switch isCancelled {
            case true: waiter.resume(throwing: CancellationError())
            case false: waiter.resume(returning: nil)
            case nil: break
            }
        }
    }
}
