import Synchronization

/// The prompt of a terminal, and what is written in its place. From any thread.
final class PromptDrawing: Sendable {
    /// What is drawn where somebody may type.
    static let text = "> "

    private let console: Console
    /// Whether somebody types, and sees what is drawn.
    let isShown: Bool
    private let isDrawn = Mutex(false)

    init(console: Console) {
        self.console = console
        isShown = console.inputIsTerminal && console.isInteractive
    }

    /// Draws the prompt: a line can be typed now.
    func draw() {
        guard isShown else { return }
        isDrawn.withLock { isDrawn in
            if !isDrawn { console.notes(Self.text) }
            isDrawn = true
        }
    }

    /// A line was typed: the cursor is below the prompt.
    func isTaken() {
        isDrawn.withLock { $0 = false }
    }

    /// Takes the prompt away for good.
    func remove() {
        isDrawn.withLock { isDrawn in
            if isDrawn { console.redraw("") }
            isDrawn = false
        }
    }

    /// Writes in the place of the prompt, and draws that again below. One at a time.
    func write(_ body: () throws -> Void) rethrows {
        try isDrawn.withLock { isDrawn in
            if isDrawn { console.redraw("") }
            defer { if isDrawn { console.notes(Self.text) } }
            try body()
        }
    }
}
