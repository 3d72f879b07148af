import HoldfastTransport
import Synchronization

/// Where events go: messages to standard output, everything else to standard error, and with JSON all of it to standard output.
/// From any thread; one event at a time. Writing blocks while the output takes nothing, and whoever has an event to show waits
/// for it: the connection's event loop, too, with a ping or a frame.
final class WebSocketScreen: Sendable {
    /// What is drawn where somebody may type.
    static let promptText = "> "

    private let console: Console
    private let asJSON: Bool
    /// Whether somebody types, and sees what is drawn.
    let hasPrompt: Bool
    private let elapsed: @Sendable () -> Duration
    private let promptIsDrawn = Mutex(false)

    /// - Parameter elapsed: The time since the command began to connect.
    init(console: Console, asJSON: Bool, elapsed: @escaping @Sendable () -> Duration) {
        self.console = console
        self.asJSON = asJSON
        self.hasPrompt = console.inputIsTerminal && console.isInteractive
        self.elapsed = elapsed
    }

    /// Tells an event. Throws when nobody reads the output any more.
    func show(_ event: WebSocketEvent) throws {
        try write {
            if asJSON {
                try console.print(event.json(at: elapsed()))
            } else if case .message = event {
                if console.outputIsTerminal {
                    for line in event.lines { try console.print(line) }
                } else if let text = event.plainMessage {
                    try console.print(text)
                }
            } else {
                for line in event.lines { console.note(line) }
            }
        }
    }

    /// Says something to the person.
    func note(_ text: String) {
        write { console.note(text) }
    }

    /// Draws the prompt: a line can be typed now.
    func prompt() {
        guard hasPrompt else { return }
        promptIsDrawn.withLock { isDrawn in
            if !isDrawn { console.notes(Self.promptText) }
            isDrawn = true
        }
    }

    /// A line was typed: the cursor is below the prompt.
    func promptIsTaken() {
        promptIsDrawn.withLock { $0 = false }
    }

    /// Takes the prompt away for good.
    func removePrompt() {
        promptIsDrawn.withLock { isDrawn in
            if isDrawn { console.redraw("") }
            isDrawn = false
        }
    }

    /// Writes in the place of the prompt, and draws that again below.
    private func write(_ body: () throws -> Void) rethrows {
        try promptIsDrawn.withLock { isDrawn in
            if isDrawn { console.redraw("") }
            defer { if isDrawn { console.notes(Self.promptText) } }
            try body()
        }
    }
}
