import Synchronization

/// Hands every element to any number of streams, none of which can hold up the others: a slow reader loses the oldest.
final class Broadcast<Element: Sendable>: Sendable {
    private struct State {
        var nextID: UInt64 = 0
        var readers: [UInt64: AsyncStream<Element>.Continuation] = [:]
        var isFinished = false
    }

    private let state = Mutex(State())
    private let capacity: Int

    /// - Parameter capacity: How many elements a reader may lag behind before it loses the oldest.
    init(capacity: Int) {
        self.capacity = capacity
    }

    /// A new reader; it sees `initial`, then every element published from now on.
    ///
    /// `initial` is read under the lock, so that nothing falls between it and the first element.
    func stream(initial: () -> Element? = { nil }) -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Element.self, bufferingPolicy: .bufferingNewest(capacity))
        let id = state.withLock { state -> UInt64? in
            if let first = initial() { continuation.yield(first) }
            guard !state.isFinished else { return nil }
            state.nextID += 1
            state.readers[state.nextID] = continuation
            return state.nextID
        }
        guard let id else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.readers.removeValue(forKey: id) }
        }
        return stream
    }

    /// Hands an element to every reader.
    func publish(_ element: Element) {
        // Yielding under the lock keeps the order the same for all readers; it does not run foreign code.
        state.withLock { state in
            for reader in state.readers.values { reader.yield(element) }
        }
    }

    /// Ends every stream, also those made later.
    func finish() {
        let readers = state.withLock { state in
            state.isFinished = true
            defer { state.readers.removeAll() }
            return Array(state.readers.values)
        }
        for reader in readers { reader.finish() }
    }

    deinit { finish() }
}
