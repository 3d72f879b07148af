import ChatCenterCore
import DequeModule

/// Carries out what turns have asked for, in order, on an executor of its own: nothing slow or foreign keeps a turn waiting.
final class EffectQueue: Sendable {
    /// A step of the queue.
    enum Step: Sendable {
        case effect(ChatEffect)
        /// The screen has changed. Its newest state is read when the step is carried out.
        case publish
        /// Somebody has left, and everything that speaks of that user is done. Nobody hears any more of these messages.
        case goodbye(Set<MessageID>)

        var isPublication: Bool { if case .publish = self { true } else { false } }
    }

    private struct State {
        var steps: Deque<Step> = []
        /// Behind all steps, also those that come later.
        var goodbye: Set<MessageID>?
        var isScheduled = false
        var isClosed = false
        var perform: @Sendable (Step) -> Void = { _ in }

        mutating func next() -> Step? {
            if let step = steps.popFirst() { return step }
            guard let goodbye else { return nil }
            self.goodbye = nil
            return .goodbye(goodbye)
        }

        /// Whether a block of the executor has to be sent.
        mutating func schedules() -> Bool {
            guard !steps.isEmpty || goodbye != nil, !isScheduled else { return false }
            isScheduled = true
            return true
        }
    }

    let executor: any ChatExecutor
    private let state = OrderedMutex(.effects, State())

    init(executor: any ChatExecutor) {
        self.executor = executor
    }

    /// Sets what carries out steps. To be called once, before the first step.
    func attach(_ perform: @escaping @Sendable (Step) -> Void) {
        state.withLock { $0.perform = perform }
    }

    /// Takes steps, and a goodbye that waits until the queue is empty.
    func add(_ steps: [Step], goodbye: Set<MessageID>? = nil) {
        let begins = state.withLock { state in
            guard !state.isClosed else { return false }
            for step in steps {
                // A publication shows the newest state: one covers all changes before it.
                if step.isPublication, state.steps.last?.isPublication == true { continue }
                state.steps.append(step)
            }
            if let goodbye { state.goodbye = (state.goodbye ?? []).union(goodbye) }
            return state.schedules()
        }
        if begins { sendBlock() }
    }

    /// What is left is dropped, and nothing is taken any more. Returns whether a goodbye was left.
    func close() -> Bool {
        state.withLock { state in
            state.isClosed = true
            state.steps = []
            defer { state.goodbye = nil }
            return state.goodbye != nil
        }
    }

    /// Has the executor carry out one step, and then the next one if there is any: other blocks come between.
    private func sendBlock() {
        executor.run { [self] in
            let (step, perform) = state.withLock { ($0.next(), $0.perform) }
            if let step { perform(step) }
            let goesOn = state.withLock { state in
                state.isScheduled = false
                return state.schedules()
            }
            if goesOn { sendBlock() }
        }
    }
}
