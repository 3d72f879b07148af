import Synchronization

/// Hands every element to any number of streams, none of which can hold up the others: a slow reader loses the oldest.
final class Broadcast<Element: Sendable>: Sendable {
    /// That a reader is gone is noted without the lock: a task that is cancelled holds a lock of its own meanwhile, which
    /// `publish` waits for under ours.
    private final class Flag: Sendable {
        let value = Atomic(false)
    }

    private struct Reader {
        let continuation: AsyncStream<Element>.Continuation
        let isGone: Flag
    }

    private struct State {
        var readers: [Reader] = []
        var isFinished = false

        mutating func forgetThoseWhoAreGone() {
            readers.removeAll { $0.isGone.value.load(ordering: .relaxed) }
        }
    }

    private let state = OrderedMutex(.broadcast, State())
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
        let isGone = Flag()
        continuation.onTermination = { _ in isGone.value.store(true, ordering: .relaxed) }
        let isOver = state.withLock { state in
            if let first = initial() { continuation.yield(first) }
            state.forgetThoseWhoAreGone()
            if !state.isFinished { state.readers.append(Reader(continuation: continuation, isGone: isGone)) }
            return state.isFinished
        }
        if isOver { continuation.finish() }
        return stream
    }

    /// Hands an element to every reader.
    func publish(_ element: Element) {
        publish(newest: { element })
    }

    /// Hands an element to every reader. It is read under the lock, like the first one of a stream: no reader gets one that is
    /// older than what it has.
    func publish(newest element: () -> Element?) {
        // Yielding under the lock keeps the order the same for all readers; it does not run foreign code.
        state.withLock { state in
            state.forgetThoseWhoAreGone()
            guard !state.readers.isEmpty, let element = element() else { return }
            for reader in state.readers { reader.continuation.yield(element) }
        }
    }

    /// Ends every stream, also those made later.
    func finish() {
        let readers = state.withLock { state in
            state.isFinished = true
            defer { state.readers.removeAll() }
            return state.readers
        }
        for reader in readers { reader.continuation.finish() }
    }

    deinit { finish() }
}
