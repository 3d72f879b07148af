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
