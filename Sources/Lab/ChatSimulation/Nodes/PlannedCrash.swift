/// The planned end of a process after a number of effects.
struct PlannedCrash: Hashable, Sendable {
    /// The part of one turn's effects that is carried out.
    struct Fate: Hashable, Sendable {
        /// The number of effects that the process reaches. No later effect is carried out.
        var reached: Int
        /// From this effect on, only commits are carried out.
        var firstDropped: Int
        /// Whether the process ends after these effects.
        var dies: Bool

        static func survives(_ effects: Int) -> Fate { Fate(reached: effects, firstDropped: effects, dies: false) }
    }

    /// The number of remaining effects.
    private(set) var effects: Int
    /// The number of last effects that are not carried out.
    let unperformed: Int
    /// Milliseconds from the end of the process to the next start.
    let down: Int64

    init(afterEffects effects: Int, unperformed: Int = 0, down: Int64) {
        self.effects = effects
        self.unperformed = unperformed
        self.down = down
    }

    /// Counts steps towards the planned end.
    mutating func pass(_ steps: Int) {
        effects = max(0, effects - steps)
    }

    /// Returns which effects of one turn the process carries out.
    mutating func fate(of count: Int, isCommit: (Int) -> Bool) -> Fate {
        guard effects <= count else {
            effects -= count
            return .survives(count)
        }
        // The shipping driver commits within the turn and carries out all other effects later, so the last of these may
        // be lost.
        var fate = Fate(reached: effects, firstDropped: effects, dies: true)
        var left = unperformed
        while left > 0, fate.firstDropped > 0 {
            fate.firstDropped -= 1
            if !isCommit(fate.firstDropped) { left -= 1 }
        }
        return fate
    }
}
