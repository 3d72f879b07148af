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

extension DemoNarrator {
    /// Tells it on standard output, with the work under way on the terminal. What nobody reads is not an error here:
    /// the table at the end is printed by the same means and says so.
    init(_ console: Console) {
        self.init(
            say: { try? console.print($0) },
            draw: { console.redraw(TerminalWidth.clipped($0, to: (console.columns() ?? 80) - 1)) })
    }
}
