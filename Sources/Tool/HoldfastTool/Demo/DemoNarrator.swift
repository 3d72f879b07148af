/// Tells the demo as it goes: a line of plain words for each step.
struct DemoNarrator: Sendable {
    /// Says one line.
    let say: @Sendable (String) -> Void
    /// Draws the line that is being worked on; only terminals show it.
    let draw: @Sendable (String) -> Void

    /// Says nothing at all.
    static let silent = DemoNarrator(say: { _ in }, draw: { _ in })

    /// Tells that a part begins.
    func tell(_ chapter: DemoChapter) {
        say("")
        say("\(chapter.heading)")
    }

    /// Tells a step that is over.
    func tell(_ result: DemoResult) {
        draw("")
        let mark = result.isAsItMustBe ? "ok   " : "WRONG"
        say("\(mark) \(result.number). \(result.name) [\(result.mode.rawValue)]: \(result.observation.outcome)")
        say("        \(result.observation.detail)")
        for line in result.observation.lines { say("        \(line)") }
        if !result.isAsItMustBe { say("        It must be: \(result.expectation)") }
    }

    /// Shows how far a transfer has come.
    func show(_ name: String, _ done: Int64, of total: Int64?) {
        draw(ProgressBar(done: done, total: total).text(labelled: name))
    }
}
