/// A script: a list of steps, each with a trigger and actions.
package struct ServerScript: Hashable, Sendable {
    package var steps: [ScriptStep]

    package init(steps: [ScriptStep] = []) {
        self.steps = steps
    }
}
