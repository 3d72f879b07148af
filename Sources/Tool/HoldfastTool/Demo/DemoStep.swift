/// One step of the demo, as a value.
struct DemoStep: Sendable {
    /// The part of the demo that it belongs to.
    var chapter: DemoChapter
    /// What is tried, in words.
    var name: String
    /// Under which checks.
    var mode: DemoMode
    /// How it must come out.
    var expectation: DemoExpectation
    /// Tries it. What it throws is how the step failed.
    var run: @Sendable (DemoStage) async throws -> DemoObservation

    /// Makes a step.
    init(
        _ chapter: DemoChapter, _ name: String, _ mode: DemoMode, _ expectation: DemoExpectation,
        run: @escaping @Sendable (DemoStage) async throws -> DemoObservation
    ) {
        self.chapter = chapter
        self.name = name
        self.mode = mode
        self.expectation = expectation
        self.run = run
    }
}
