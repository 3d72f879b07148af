/// Where the events of a program with a prompt go: what it is there for to standard output, everything else to standard error,
/// and with JSON all of it to standard output. From any thread; one event at a time. Writing blocks while the output takes
/// nothing, and whoever has an event to tell waits for it.
final class EventTerminal<Event: TerminalEvent>: Sendable {
    private let console: Console
    private let asJSON: Bool
    private let drawing: PromptDrawing
    private let elapsed: @Sendable () -> Duration

    /// - Parameter elapsed: The time since the command began.
    init(console: Console, asJSON: Bool, elapsed: @escaping @Sendable () -> Duration) {
        self.console = console
        self.asJSON = asJSON
        self.drawing = PromptDrawing(console: console)
        self.elapsed = elapsed
    }

    /// Tells an event. Throws when nobody reads the output any more.
    func show(_ event: Event) throws {
        try drawing.write {
            if asJSON {
                try console.print(event.json(at: elapsed()))
            } else if event.isOutput, console.outputIsTerminal {
                for line in event.lines { try console.print(line) }
            } else if event.isOutput, let text = event.plainText {
                // A program gets what the other side says, and nothing around it.
                try console.print(text)
            } else {
                for line in event.lines { console.note(line) }
            }
        }
    }

    /// Says something to the person.
    func note(_ text: String) {
        drawing.write { console.note(text) }
    }

    /// Shows how far a transfer has come, in place of the prompt; `nil` takes that away. Only at a terminal.
    func showProgress(_ progress: ProgressLine?) {
        guard !asJSON else { return }
        drawing.show(progress.map { $0.text(columns: console.columns() ?? 80) })
    }

    /// Draws the prompt: a line can be typed now.
    func prompt() { drawing.draw() }

    /// A line was typed: the cursor is below the prompt.
    func promptIsTaken() { drawing.isTaken() }

    /// Takes the prompt away for good.
    func removePrompt() { drawing.remove() }
}

/// Something that a program with a prompt tells: to a person, to a pipe, or as JSON.
protocol TerminalEvent {
    /// Whether it is what the program is there for, and goes to standard output.
    var isOutput: Bool { get }
    /// The lines for a person. Empty: nothing is said of it. Nothing in them can move a cursor.
    var lines: [String] { get }
    /// What a program that reads standard output without `--json` gets; `nil`: people alone are told.
    var plainText: String? { get }
    /// One object on one line, without a line break at its end.
    ///
    /// - Parameter time: The time since the command began.
    func json(at time: Duration) -> String
}
