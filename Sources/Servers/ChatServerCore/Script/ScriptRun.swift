import ChatWire
import DequeModule

/// A running script: the steps that can still happen, and the pending actions.
struct ScriptRun: Hashable, Sendable {
    private struct Step: Hashable, Sendable {
        var step: ScriptStep
        /// The number of matching events since the step last happened.
        var seen = 0
        /// How often the step has happened.
        var happened = 0

        var isOver: Bool { step.times.map { happened >= $0 } ?? false }
    }

    /// A step that is not due yet.
    private struct Pending: Hashable, Sendable {
        var due: Int64
        var performance: Performance
    }

    /// Actions to execute, and their trigger.
    struct Performance: Hashable, Sendable {
        var actions: [ScriptAction]
        var origin: ScriptEvent
    }

    /// The result of starting a step.
    enum Start: Hashable, Sendable {
        /// Execute the actions now.
        case perform(Performance)
        /// Too many steps are waiting.
        case overloaded
    }

    private var steps: [Step] = []
    /// Sorted by time.
    private var pending: Deque<Pending> = []
    /// The maximum number of waiting steps.
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    /// When the next step is due, on the monotonic clock.
    var nextDue: Int64? { pending.first?.due }

    /// The number of steps that can still happen.
    var remainingSteps: Int { steps.count { !$0.isOver } }

    /// Replaces the script. Pending steps of the previous one are discarded.
    mutating func load(_ script: ServerScript) {
        steps = script.steps.map { Step(step: $0) }
        pending = []
    }

    /// Passes an event to the script. Returns the results of the steps that start now; steps with a delay wait.
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

    /// Takes the next actions that are due.
    mutating func takeDue(at now: Int64) -> Performance? {
        guard let next = pending.first, next.due <= now else { return nil }
        pending.removeFirst()
        return next.performance
    }

    /// Returns the steps that an event starts.
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

/// An event that a script can react to.
struct ScriptEvent: Hashable, Sendable {
    var kind: ScriptTrigger.Kind
    var names: [String] = []
    var text: String?
    var clientID: String?
    var connection: ConnectionID?
}

extension ScriptEvent {
    /// Creates the event of a received frame.
    init(_ frame: ClientFrame, on id: ConnectionID, of clientID: String?) {
        var text: String?
        if case .sendMessage(let content, _) = frame.body { text = content.text }
        self.init(
            kind: .frame, names: [frame.action] + (frame.contentType.map { [$0] } ?? []), text: text,
            clientID: clientID, connection: id)
        if case .registerDevice(let registration) = frame.body { self.clientID = registration.clientID }
    }
}
