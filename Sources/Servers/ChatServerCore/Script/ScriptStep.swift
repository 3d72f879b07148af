/// A step of a script.
package struct ScriptStep: Hashable, Sendable {
    package var trigger: ScriptTrigger
    /// The delay from the trigger to the actions, in nanoseconds.
    package var delay: Int64
    /// How often the step can happen; `nil` for no limit.
    package var times: Int?
    package var actions: [ScriptAction]

    package init(_ trigger: ScriptTrigger, delay: Int64 = 0, times: Int? = 1, actions: [ScriptAction]) {
        self.trigger = trigger
        self.delay = max(0, delay)
        self.times = times
        self.actions = actions
    }
}
