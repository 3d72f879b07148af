/// A script while it runs.
struct ScriptRun: Hashable, Sendable {
    struct Step: Hashable, Sendable {
        var step: ScriptStep
        /// Events that fitted since it last happened.
        var seen = 0
        /// How often it happened.
        var happened = 0

        var isOver: Bool { step.times.map { happened >= $0 } ?? false }
    }

    /// A step whose time is still to come.
    struct Pending: Hashable, Sendable {
        var due: Int64
        var actions: [ScriptAction]
        var origin: Happening
    }

    var steps: [Step]

    init(_ script: ServerScript = ServerScript()) {
        steps = script.steps.map { Step(step: $0) }
    }

    /// The steps that something sets going.
    mutating func started(by happening: Happening) -> [ScriptStep] {
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
