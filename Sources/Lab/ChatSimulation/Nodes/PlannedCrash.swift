/// The end of a process that is near: after so many more effects.
struct PlannedCrash: Hashable, Sendable {
    /// What is carried out of the effects of one turn.
    struct Fate: Hashable, Sendable {
        /// The effects that the process comes to. Of the later ones none is carried out.
        var reached: Int
        /// From here on only commits are carried out.
        var firstDropped: Int
        /// Whether the process dies after them.
        var dies: Bool

        static func survives(_ effects: Int) -> Fate { Fate(reached: effects, firstDropped: effects, dies: false) }
    }

    /// The effects that are left.
    private(set) var effects: Int
    /// Of the last effects so many are not carried out.
    let unperformed: Int
    /// Milliseconds from the death to the next start.
    let down: Int64

    init(afterEffects effects: Int, unperformed: Int = 0, down: Int64) {
        self.effects = effects
        self.unperformed = unperformed
        self.down = down
    }

    /// So many steps are done.
    mutating func pass(_ steps: Int) {
        effects = max(0, effects - steps)
    }

    /// Decides how far the process comes with the effects of one turn.
    mutating func fate(of count: Int, isCommit: (Int) -> Bool) -> Fate {
        guard effects <= count else {
            effects -= count
            return .survives(count)
        }
        // The real driver commits within the turn and carries the rest out a little later: of the other effects, the
        // last ones may never be carried out.
        var fate = Fate(reached: effects, firstDropped: effects, dies: true)
        var left = unperformed
        while left > 0, fate.firstDropped > 0 {
            fate.firstDropped -= 1
            if !isCommit(fate.firstDropped) { left -= 1 }
        }
        return fate
    }
}
