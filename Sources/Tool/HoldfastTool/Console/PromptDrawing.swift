import Synchronization

/// The last line of a terminal: a prompt or a transfer's progress. Other output is written above it. Thread-safe.
final class PromptDrawing: Sendable {
    /// The prompt.
    static let text = "> "

    private struct State {
        var hasPrompt = false
        /// The text shown instead of the prompt.
        var progress: String?

        var line: String? { progress ?? (hasPrompt ? PromptDrawing.text : nil) }
    }

    private let console: Console
    /// Whether input and output are a terminal, so that the line is drawn.
    let isShown: Bool
    private let state = Mutex(State())

    init(console: Console) {
        self.console = console
        isShown = console.inputIsTerminal && console.isInteractive
    }

    /// Draws the prompt, so that a line can be typed.
    func draw() {
        guard isShown else { return }
        change { $0.hasPrompt = true }
    }

    /// Records that a line was typed: the cursor is below the prompt.
    func isTaken() {
        state.withLock { $0.hasPrompt = false }
    }

    /// Removes the prompt permanently.
    func remove() {
        change { $0 = State() }
    }

    /// Shows a line instead of the prompt; `nil` restores the prompt.
    func show(_ progress: String?) {
        guard console.isInteractive else { return }
        change { $0.progress = progress }
    }

    /// Writes in place of the prompt and redraws the prompt below. Callers are serialized.
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
