import Synchronization

/// Passes every element to any number of streams. A slow reader loses the oldest elements and does not delay the
/// others.
final class Broadcast<Element: Sendable>: Sendable {
    /// Set without the broadcast's lock when a reader ends. A cancelled task holds its own lock at that point, and
    /// `publish` waits for that lock while it holds the broadcast's.
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

    /// - Parameter capacity: The number of elements that are buffered for each reader.
    init(capacity: Int) {
        self.capacity = capacity
    }

    /// Returns a new stream with `initial`, then every element published from now on.
    ///
    /// `initial` is evaluated under the lock, so that no element is lost between it and the first one.
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

    /// Sends an element to every reader.
    func publish(_ element: Element) {
        publish(newest: { element })
    }

    /// Sends an element to every reader. It is evaluated under the lock, like `initial` of a stream, so that no reader
    /// gets an element older than its last one.
    func publish(newest element: () -> Element?) {
        // Yielding under the lock gives all readers the same order. It does not run foreign code.
        state.withLock { state in
            state.forgetThoseWhoAreGone()
            guard !state.readers.isEmpty, let element = element() else { return }
            for reader in state.readers { reader.continuation.yield(element) }
        }
    }

    /// Ends every stream, including those created later.
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
