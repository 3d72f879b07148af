import HoldfastBase

/// Prints the demo's progress: one line in plain words per step.
struct DemoNarrator: Sendable {
    /// Prints one line.
    let say: @Sendable (String) -> Void
    /// Draws the line for the current work; only terminals show it.
    let draw: @Sendable (String) -> Void
    /// The style of the results.
    var style = TerminalStyle.plain

    /// Prints nothing.
    static let silent = DemoNarrator(say: { _ in }, draw: { _ in })

    /// Prints the heading of a part.
    func tell(_ chapter: DemoChapter) {
        say("")
        say("\(chapter.heading)")
    }

    /// Prints a completed step.
    func tell(_ result: DemoResult) {
        draw("")
        let mark = result.isAsItMustBe ? style.text("ok", .success) + "   " : style.text("WRONG", .error)
        say("\(mark) \(result.number). \(result.name) [\(result.mode.rawValue)]: \(result.observation.outcome)")
        say("        \(result.observation.detail)")
        for line in result.observation.lines { say("        \(line)") }
        if !result.isAsItMustBe { say("        Expected: \(result.expectation)") }
    }

    /// Shows a transfer's progress.
    func show(_ name: String, _ done: Int64, of total: Int64?) {
        draw(ProgressBar(done: done, total: total).text(labelled: name))
    }
}

extension DemoNarrator {
    /// Prints to standard output, and draws the current work on the terminal. A closed output is not an error here:
    /// printing the final table reports it.
    init(_ console: Console, style: TerminalStyle = .plain) {
        self.init(
            say: { try? console.print($0) },
            draw: { console.redraw(TerminalWidth.clipped($0, to: (console.columns() ?? 80) - 1)) },
            style: style)
    }
}
