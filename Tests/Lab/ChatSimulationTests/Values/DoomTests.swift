import Testing

@testable import ChatSimulation

/// How far a process comes that is about to die.
@Suite struct DoomTests {
    private let commits = [true, false, false, true, false]

    @Test func effectsAreCountedOverTurns() {
        var doom = Doom(afterEffects: 7, down: 10)
        #expect(doom.fate(of: 5) { _ in false } == .survives(5))
        #expect(doom.effects == 2)
        #expect(doom.fate(of: 5) { _ in false } == Doom.Fate(reached: 2, firstDropped: 2, dies: true))
    }

    /// A commit is carried out within the turn; what else was asked for last may never be.
    @Test func theLastEffectsAreNotCarriedOut() {
        var doom = Doom(afterEffects: 5, unperformed: 2, down: 10)
        let fate = doom.fate(of: 5) { commits[$0] }
        #expect(fate == Doom.Fate(reached: 5, firstDropped: 2, dies: true))
    }
}
