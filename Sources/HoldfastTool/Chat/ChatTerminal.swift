/// Where a chat's changes go: the conversation to standard output, everything else to standard error, and with JSON all of it to
/// standard output. From any thread; one change at a time.
final class ChatTerminal: Sendable {
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

    /// Tells a change. Throws when nobody reads the output any more.
    func show(_ change: ChatChange) throws {
        try drawing.write {
            if asJSON {
                try console.print(change.json(at: elapsed()))
            } else if !change.isConversation {
                for line in change.lines { console.note(line) }
            } else if console.outputIsTerminal {
                for line in change.lines { try console.print(line) }
            } else if let text = change.plainText {
                // A program gets what the other side says, and nothing around it.
                try console.print(text)
            } else {
                for line in change.lines { console.note(line) }
            }
        }
    }

    /// Says something to the person.
    func note(_ text: String) {
        drawing.write { console.note(text) }
    }

    /// Draws the prompt: a line can be typed now.
    func prompt() { drawing.draw() }

    /// A line was typed: the cursor is below the prompt.
    func promptIsTaken() { drawing.isTaken() }

    /// Takes the prompt away for good.
    func removePrompt() { drawing.remove() }
}
