import Synchronization

/// A gate that holds an answer back until a test opens it. Use it instead of a delay, to test timeouts, cancellation
/// and progress.
public final class AnswerGate: Sendable {
    private struct State: Sendable {
        var isOpen = false
        var callbacks: [@Sendable () -> Void] = []
    }

    private let state = Mutex(State())

    /// Creates a closed gate.
    public init() {}

    /// Opens the gate. Answers that wait for it are sent. Later calls have no effect. May be called from any thread.
    public func open() {
        let callbacks = state.withLock { state in
            state.isOpen = true
            defer { state.callbacks = [] }
            return state.callbacks
        }
        for callback in callbacks { callback() }
    }

    /// Calls `callback` when the gate is open, on the thread that opens it. If it is open, the call is immediate.
    func whenOpen(_ callback: @escaping @Sendable () -> Void) {
        let isOpen = state.withLock { state in
            if !state.isOpen { state.callbacks.append(callback) }
            return state.isOpen
        }
        if isOpen { callback() }
    }

    /// Returns when the gate is open.
    func wait() async {
        await withCheckedContinuation { continuation in whenOpen { continuation.resume() } }
    }
}
