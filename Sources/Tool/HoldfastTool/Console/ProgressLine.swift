/// How far a transfer has come, for a line of a terminal.
struct ProgressLine: Hashable, Sendable {
    /// The name of what is transferred. It may be the other side's.
    var label: String
    /// Bytes transferred.
    var done: Int64
    /// Bytes in all, where known.
    var total: Int64?

    /// The fewest columns of a name.
    private static let shortest = 8

    /// The line with a bar, no wider than so many columns: a line that wraps cannot be drawn again in its place.
    func text(columns: Int) -> String {
        let bar = ProgressBar(done: done, total: total).text(labelled: "")
        let room = max(Self.shortest, columns - 1 - bar.count)
        let name = TerminalText.lines(label, limit: 512).lines.joined(separator: " ")
        let line = TerminalWidth.clipped(name, to: room) + bar
        return TerminalWidth.clipped(line, to: columns - 1)
    }
}
