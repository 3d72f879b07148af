import Synchronization

/// Prints the messages and the progress of `holdfast get` to standard error. Thread-safe.
final class GetScreen: Sendable {
    /// The minimum time between two drawings of the progress.
    private static let interval = Duration.milliseconds(100)

    private let console: Console
    private let lastLine: TerminalLastLine
    private let showsProgress: Bool
    private let now: @Sendable () -> ContinuousClock.Instant
    private let drawn = Mutex<ContinuousClock.Instant?>(nil)

    /// - Parameters:
    ///   - showsProgress: Whether progress is drawn if standard error is a terminal.
    ///   - now: The clock that limits the drawings.
    init(
        console: Console, showsProgress: Bool, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.console = console
        self.lastLine = TerminalLastLine(console: console)
        self.showsProgress = showsProgress
        self.now = now
    }

    /// Prints a line above the progress.
    func note(_ line: String) {
        lastLine.write { console.note(line) }
    }

    /// Draws the progress, unless it was drawn just before.
    func show(_ progress: ProgressLine) {
        guard showsProgress, console.isInteractive else { return }
        let time = now()
        let isDue = drawn.withLock { drawn in
            if let drawn, drawn.duration(to: time) < Self.interval { return false }
            drawn = time
            return true
        }
        if isDue { lastLine.show(progress.text(columns: console.columns() ?? 80)) }
    }

    /// Removes the progress.
    func removeProgress() { lastLine.show(nil) }
}
