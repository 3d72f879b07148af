import Testing

@testable import ChatSimulation

/// Tests how far a process with a planned end gets.
@Suite struct PlannedCrashTests {
    private let commits = [true, false, false, true, false]

    @Test func effectsAreCountedOverTurns() {
        var plannedCrash = PlannedCrash(afterEffects: 7, down: 10)
        #expect(plannedCrash.fate(of: 5) { _ in false } == .survives(5))
        #expect(plannedCrash.effects == 2)
        #expect(plannedCrash.fate(of: 5) { _ in false } == PlannedCrash.Fate(reached: 2, firstDropped: 2, dies: true))
    }

    /// A commit is carried out within the turn. The last other effects may be lost.
    @Test func theLastEffectsAreNotCarriedOut() {
        var plannedCrash = PlannedCrash(afterEffects: 5, unperformed: 2, down: 10)
        let fate = plannedCrash.fate(of: 5) { commits[$0] }
        #expect(fate == PlannedCrash.Fate(reached: 5, firstDropped: 2, dies: true))
    }
}
