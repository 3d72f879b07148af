/// What is to happen of itself: a list of steps, each with what starts it and what it does.
package struct ServerScript: Hashable, Sendable {
    package var steps: [ScriptStep]

    package init(steps: [ScriptStep] = []) {
        self.steps = steps
    }
}
