import Synchronization

/// The last line of a terminal: a prompt or a transfer's progress. Other output is written above it. Thread-safe.
final class TerminalLastLine: Sendable {
    /// The prompt.
    static let text = "> "

    private struct State {
        var hasPrompt = false
        /// The text shown instead of the prompt.
        var progress: String?

        var line: String? { progress ?? (hasPrompt ? TerminalLastLine.text : nil) }
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

/// A transfer's progress, for a line of a terminal.
struct ProgressLine: Hashable, Sendable {
    /// The name of the transferred file. The other side may have chosen it.
    var label: String
    /// The number of transferred bytes.
    var done: Int64
    /// The total number of bytes, if known.
    var total: Int64?

    /// The minimum width of a name, in columns.
    private static let shortest = 8

    /// Returns the line with a bar, at most `columns` wide: a line that wraps cannot be redrawn in place.
    func text(columns: Int) -> String {
        let bar = ProgressBar(done: done, total: total).text(labelled: "")
        let room = max(Self.shortest, columns - 1 - bar.count)
        let name = TerminalText.lines(label, limit: 512).lines.joined(separator: " ")
        let line = TerminalWidth.clipped(name, to: room) + bar
        return TerminalWidth.clipped(line, to: columns - 1)
    }
}

/// A transfer's progress as one line of text.
struct ProgressBar: Hashable {
    /// The number of transferred bytes.
    var done: Int64
    /// The total number of bytes, if known.
    var total: Int64?

    private static let width = 30

    /// The line, such as `upload [##########          ]  33 %  341 of 1024 KiB`.
    func text(labelled label: String) -> String {
        let done = max(0, done)
        guard let total, total > 0 else { return "\(label) \(done / 1_024) KiB" }
        let share = min(done, total)
        let percent = Int((Double(share) / Double(total) * 100).rounded(.down))
        let filled = percent * ProgressBar.width / 100
        let bar = String(repeating: "#", count: filled) + String(repeating: " ", count: ProgressBar.width - filled)
        let number = String(repeating: " ", count: 3 - "\(percent)".count) + "\(percent)"
        return "\(label) [\(bar)] \(number) %  \(share / 1_024) of \(total / 1_024) KiB"
    }
}
