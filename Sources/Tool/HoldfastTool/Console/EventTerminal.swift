/// Prints the events of an interactive command: its results to standard output, everything else to standard error; with
/// JSON, everything to standard output. Thread-safe; prints one event at a time. Blocks the caller while the output
/// accepts no bytes.
final class EventTerminal<Event: TerminalEvent>: Sendable {
    private let console: Console
    private let asJSON: Bool
    private let lastLine: TerminalLastLine
    private let elapsed: @Sendable () -> Duration

    /// - Parameter elapsed: The time since the command began.
    init(console: Console, asJSON: Bool, elapsed: @escaping @Sendable () -> Duration) {
        self.console = console
        self.asJSON = asJSON
        self.lastLine = TerminalLastLine(console: console)
        self.elapsed = elapsed
    }

    /// Prints an event. Throws if the output is closed.
    func show(_ event: Event) throws {
        try lastLine.write {
            if asJSON {
                try console.print(event.json(at: elapsed()))
            } else if event.isOutput, console.outputIsTerminal {
                for line in event.lines { try console.print(line) }
            } else if event.isOutput, let text = event.plainText {
                // A program gets the other side's messages only.
                try console.print(text)
            } else {
                for line in event.lines { console.note(line) }
            }
        }
    }

    /// Prints a message for the user.
    func note(_ text: String) {
        lastLine.write { console.note(text) }
    }

    /// Shows a transfer's progress instead of the prompt; `nil` removes it. Only at a terminal.
    func showProgress(_ progress: ProgressLine?) {
        guard !asJSON else { return }
        lastLine.show(progress.map { $0.text(columns: console.columns() ?? 80) })
    }

    /// Draws the prompt, so that a line can be typed.
    func prompt() { lastLine.draw() }

    /// Records that a line was typed: the cursor is below the prompt.
    func promptIsTaken() { lastLine.isTaken() }

    /// Removes the prompt permanently.
    func removePrompt() { lastLine.remove() }
}

/// An event of an interactive command, for a person, for a pipe, or as JSON.
protocol TerminalEvent {
    /// Whether this is a result of the command, and goes to standard output.
    var isOutput: Bool { get }
    /// The lines for a person; empty if nothing is printed. They contain no control characters that move the cursor.
    var lines: [String] { get }
    /// The text for a program that reads standard output without `--json`; `nil` if only people are told.
    var plainText: String? { get }
    /// Returns one JSON object on one line, without a trailing line break.
    ///
    /// - Parameter time: The time since the command began.
    func json(at time: Duration) -> String
}
