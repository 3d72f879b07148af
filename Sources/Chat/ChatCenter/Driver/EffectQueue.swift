import ChatCenterCore
import DequeModule

/// Carries out the effects of turns, in order, on its own executor. Slow or foreign code therefore never delays a turn.
final class EffectQueue: Sendable {
    /// A step of the queue.
    enum Step: Sendable {
        case effect(ChatEffect)
        /// The screen has changed. Its newest state is read when the step is carried out.
        case publish
        /// A user has logged out and all effects for that user are done. The states of these messages are no longer
        /// reported.
        case goodbye(Set<MessageID>)

        var isPublication: Bool { if case .publish = self { true } else { false } }
    }

    private struct State {
        var steps: Deque<Step> = []
        /// Carried out after all steps, including later ones.
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

        /// Returns whether a block must be scheduled on the executor.
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

    /// Sets the function that carries out steps. Must be called once, before the first step.
    func attach(_ perform: @escaping @Sendable (Step) -> Void) {
        state.withLock { $0.perform = perform }
    }

    /// Adds steps, and optionally a goodbye that waits until the queue is empty.
    func add(_ steps: [Step], goodbye: Set<MessageID>? = nil) {
        let begins = state.withLock { state in
            guard !state.isClosed else { return false }
            for step in steps {
                // A publication shows the newest state, so one publication covers all changes before it.
                if step.isPublication, state.steps.last?.isPublication == true { continue }
                state.steps.append(step)
            }
            if let goodbye { state.goodbye = (state.goodbye ?? []).union(goodbye) }
            return state.schedules()
        }
        if begins { sendBlock() }
    }

    /// Drops the remaining steps and accepts no further ones. Returns whether a goodbye was pending.
    func close() -> Bool {
        state.withLock { state in
            state.isClosed = true
            state.steps = []
            defer { state.goodbye = nil }
            return state.goodbye != nil
        }
    }

    /// Schedules one step on the executor, then the next, so that other work can run in between.
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
