import ChatCenterCore
import DequeModule
import Synchronization

/// Carries out what turns have asked for, in order, on an executor of its own: nothing slow or foreign keeps a turn waiting.
final class EffectQueue: Sendable {
    /// A step of the queue.
    enum Step: Sendable {
        case effect(ChatEffect)
        /// Somebody has left, and everything that speaks of him is done. Nobody hears any more of these messages.
        case goodbye(Set<MessageID>)
    }

    private struct State {
        var effects: Deque<ChatEffect> = []
        /// Behind all effects, also those that come later.
        var goodbye: Set<MessageID>?
        var isDraining = false
        var isClosed = false
    }

    let executor: any ChatExecutor
    private let state = Mutex(State())

    init(executor: any ChatExecutor) {
        self.executor = executor
    }

    /// Takes effects, and a goodbye that waits until the queue is empty.
    func add(_ effects: [ChatEffect], goodbye: Set<MessageID>? = nil, to perform: @escaping @Sendable (Step) -> Void) {
        let begins = state.withLock { state in
            guard !state.isClosed else { return false }
            state.effects.append(contentsOf: effects)
            if let goodbye { state.goodbye = (state.goodbye ?? []).union(goodbye) }
            guard !state.effects.isEmpty || state.goodbye != nil, !state.isDraining else { return false }
            state.isDraining = true
            return true
        }
        guard begins else { return }
        executor.run { [self] in
            while let step = next() { perform(step) }
        }
    }

    /// What is left is dropped, and nothing is taken any more.
    func close() {
        state.withLock { state in
            state.isClosed = true
            state.effects = []
            state.goodbye = nil
        }
    }

    private func next() -> Step? {
        state.withLock { state in
            if let effect = state.effects.popFirst() { return .effect(effect) }
            if let goodbye = state.goodbye {
                state.goodbye = nil
                return .goodbye(goodbye)
            }
            state.isDraining = false
            return nil
        }
    }
}
