import Synchronization

/// The last line of a terminal: a prompt, or how far a transfer has come. What is written goes above it. From any thread.
final class PromptDrawing: Sendable {
    /// What is drawn where somebody may type.
    static let text = "> "

    private struct State {
        var hasPrompt = false
        /// Shown in place of the prompt.
        var progress: String?

        var line: String? { progress ?? (hasPrompt ? PromptDrawing.text : nil) }
    }

    private let console: Console
    /// Whether somebody types, and sees what is drawn.
    let isShown: Bool
    private let state = Mutex(State())

    init(console: Console) {
        self.console = console
        isShown = console.inputIsTerminal && console.isInteractive
    }

    /// Draws the prompt: a line can be typed now.
    func draw() {
        guard isShown else { return }
        change { $0.hasPrompt = true }
    }

    /// A line was typed: the cursor is below the prompt.
    func isTaken() {
        state.withLock { $0.hasPrompt = false }
    }

    /// Takes the prompt away for good.
    func remove() {
        change { $0 = State() }
    }

    /// Shows a line in place of the prompt; `nil` brings the prompt back.
    func show(_ progress: String?) {
        guard console.isInteractive else { return }
        change { $0.progress = progress }
    }

    /// Writes in the place of the prompt, and draws that again below. One at a time.
    func write(_ body: () throws -> Void) rethrows {
        try state.withLock { state in
            if state.line != nil { console.redraw("") }
            defer { if let line = state.line { console.notes(line) } }
            try body()
        }
    }

    private func change(_ body: (inout State) -> Void) {
        state.withLock { state in
            let before = state.line
            body(&state)
            guard state.line != before else { return }
            if before == nil { console.notes(state.line ?? "") } else { console.redraw(state.line ?? "") }
        }
    }
}
