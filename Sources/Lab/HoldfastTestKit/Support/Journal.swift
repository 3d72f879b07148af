import Synchronization

/// A recording of elements in the order of arrival, with a limit, for readers that wait for elements. It is safe to use
/// from any thread.
final class Journal<Element: Sendable>: Sendable {
    private struct Waiter: Sendable {
        var count: Int
        var continuation: CheckedContinuation<Void, any Error>
    }

    private struct State: Sendable {
        var elements: [Element] = []
        /// The number of elements that `next()` has returned.
        var taken = 0
        var dropped = 0
        var isFinished = false
        var lastWaiter: UInt64 = 0
        var waiters: [UInt64: Waiter] = [:]

        /// Removes and returns the readers that match, in the order in which they began to wait.
        mutating func removeWaiters(_ matches: (Waiter) -> Bool) -> [Waiter] {
            let ids = waiters.filter { matches($0.value) }.map(\.key).sorted()
            return ids.compactMap { waiters.removeValue(forKey: $0) }
        }
    }

    private let limit: Int
    private let state = Mutex(State())

    /// Creates an empty recording. Elements beyond the limit are counted, but not stored.
    init(limit: Int = 10_000) {
        self.limit = limit
    }

    /// The stored elements, oldest first.
    var elements: [Element] { state.withLock { $0.elements } }

    /// The number of elements that arrived after the recording was full.
    var dropped: Int { state.withLock { $0.dropped } }

    /// Stores an element and resumes the readers that wait for it.
    func append(_ element: Element) {
        let (limit, full) = (limit, full)
        let (ready, failed) = state.withLock { state -> ([Waiter], [Waiter]) in
            guard state.elements.count < limit else {
                state.dropped += 1
                return ([], state.removeWaiters { _ in true })
            }
            state.elements.append(element)
            let count = state.elements.count
            return (state.removeWaiters { $0.count <= count }, [])
        }
        for waiter in ready { waiter.continuation.resume() }
        for waiter in failed { waiter.continuation.resume(throwing: full) }
    }

    /// Ends the recording: readers that wait for more elements fail.
    func finish() {
        let waiters = state.withLock { state in
            state.isFinished = true
            return state.removeWaiters { _ in true }
        }
        for waiter in waiters { waiter.continuation.resume(throwing: Self.stopped) }
    }

    /// Returns the oldest element that no earlier call has returned, and waits for it if necessary.
    ///
    /// - Throws: ``TestKitError`` if it cannot arrive, or `CancellationError`.
    func next() async throws -> Element {
        while true {
            let (element, needed) = state.withLock { state -> (Element?, Int) in
                guard state.taken < state.elements.count else { return (nil, state.taken + 1) }
                state.taken += 1
                return (state.elements[state.taken - 1], 0)
            }
            if let element { return element }
            try await wait(for: needed)
        }
    }

    /// Returns the first `count` elements, and waits for them if necessary.
    ///
    /// - Throws: ``TestKitError`` if they cannot arrive, or `CancellationError`.
    func first(_ count: Int) async throws -> [Element] {
        try await wait(for: count)
        return Array(elements.prefix(max(0, count)))
    }

    private func wait(for count: Int) async throws {
        let id = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let outcome = begin(id, Waiter(count: count, continuation: continuation))
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            let waiter = state.withLock { $0.waiters.removeValue(forKey: id) }
            waiter?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Stores a reader, or returns its result if it does not have to wait.
    private func begin(_ id: UInt64, _ waiter: Waiter) -> Result<Void, any Error>? {
        let (limit, full) = (limit, full)
        return state.withLock { state in
            // A task that is cancelled later finds the stored reader, because the handler waits for this lock.
            if Task.isCancelled { return .failure(CancellationError()) }
            if state.elements.count >= waiter.count { return .success(()) }
            if state.isFinished { return .failure(Self.stopped) }
            if waiter.count > limit { return .failure(full) }
            state.waiters[id] = waiter
            return nil
        }
    }

    private var full: TestKitError {
        TestKitError(.recordingFull, "The recording is limited to \(limit) elements. Use a new server for each test.")
    }

    private static var stopped: TestKitError {
        TestKitError(.stopped, "The server was stopped before the expected element arrived.")
    }
}
