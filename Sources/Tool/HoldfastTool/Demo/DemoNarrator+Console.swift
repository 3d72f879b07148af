extension DemoNarrator {
    /// Tells it on standard output, with the work under way on the terminal. What nobody reads is not an error here:
    /// the table at the end is printed by the same means and says so.
    init(_ console: Console) {
        self.init(
            say: { try? console.print($0) },
            draw: { console.redraw(TerminalWidth.clipped($0, to: (console.columns() ?? 80) - 1)) })
    }
}
