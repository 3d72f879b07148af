import DequeModule

/// A script while it runs: which steps can still happen, and what is still to be done.
struct ScriptRun: Hashable, Sendable {
    private struct Step: Hashable, Sendable {
        var step: ScriptStep
        /// Events that fitted since it last happened.
        var seen = 0
        /// How often it happened.
        var happened = 0

        var isOver: Bool { step.times.map { happened >= $0 } ?? false }
    }

    /// A step whose time is still to come.
    private struct Pending: Hashable, Sendable {
        var due: Int64
        var performance: Performance
    }

    /// Actions that have to be carried out, and what they are for.
    struct Performance: Hashable, Sendable {
        var actions: [ScriptAction]
        var origin: ScriptEvent
    }

    /// What a step that was started leads to.
    enum Start: Hashable, Sendable {
        /// Its actions have to be carried out at once.
        case perform(Performance)
        /// Too many steps wait for their time already.
        case overloaded
    }

    private var steps: [Step] = []
    /// Sorted by time.
    private var pending: Deque<Pending> = []
    /// The largest number of steps that wait for their time.
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    /// When the next step is due, on the monotonic clock.
    var nextDue: Int64? { pending.first?.due }

    /// The number of steps that can still happen.
    var remainingSteps: Int { steps.count { !$0.isOver } }

    /// Replaces the script. What the one before had still to do is forgotten.
    mutating func load(_ script: ServerScript) {
        steps = script.steps.map { Step(step: $0) }
        pending = []
    }

    /// Shows the script something that happened. Returns what the steps that start now lead to; steps with a delay wait.
    mutating func observe(_ happening: ScriptEvent, at now: Int64) -> [Start] {
        var starts: [Start] = []
        for step in started(by: happening) {
            let performance = Performance(actions: step.actions, origin: happening)
            guard step.delay > 0 else {
                starts.append(.perform(performance))
                continue
            }
            guard pending.count < limit else {
                starts.append(.overloaded)
                continue
            }
            let due = now.addingClamped(step.delay)
            pending.insert(
                Pending(due: due, performance: performance),
                at: pending.firstIndex { $0.due > due } ?? pending.endIndex)
        }
        return starts
    }

    /// Takes the next actions whose time has come.
    mutating func takeDue(at now: Int64) -> Performance? {
        guard let next = pending.first, next.due <= now else { return nil }
        pending.removeFirst()
        return next.performance
    }

    /// The steps that something sets going.
    private mutating func started(by happening: ScriptEvent) -> [ScriptStep] {
        var started: [ScriptStep] = []
        for index in steps.indices where !steps[index].isOver && steps[index].step.trigger.fits(happening) {
            steps[index].seen += 1
            guard steps[index].seen >= steps[index].step.trigger.count else { continue }
            steps[index].seen = 0
            steps[index].happened += 1
            started.append(steps[index].step)
        }
        return started
    }
}
