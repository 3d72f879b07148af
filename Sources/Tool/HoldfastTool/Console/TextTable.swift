/// A table in plain text. Without a width, columns are as wide as their widest cell; within one, cells are wrapped, and where a
/// table would be too narrow to read, each row becomes a list of its cells.
struct TextTable {
    /// Where the cells of a column stand, and whether a cell may be wrapped.
    enum Column: Hashable, Sendable {
        case text(String)
        /// To the right.
        case number(String)
        /// What would be worth nothing in pieces: hashes, dates.
        case whole(String)

        var head: String {
            switch self {
            case .text(let head), .number(let head), .whole(let head): head
            }
        }
    }

    /// The columns between two cells.
    private static let gap = 2
    /// A column of text is not made narrower than this.
    private static let narrowest = 16

    private let columns: [Column]
    private var rows: [[String]] = []
    /// Whether a line of dashes stands below the heads.
    private let hasRule: Bool

    /// Begins with the columns.
    init(_ columns: [Column], hasRule: Bool = false) {
        self.columns = columns
        self.hasRule = hasRule
    }

    /// Adds a row: a cell for each column.
    ///
    /// - Parameter limit: Cells that are longer are cut, so that one cannot push the others out of sight.
    mutating func add(_ cells: [String], limit: Int = 1_024) {
        rows.append(cells.map { TerminalWidth.clipped($0, to: limit) })
    }

    /// The lines.
    ///
    /// - Parameter width: The columns of the terminal; `nil` for as many as it takes.
    func lines(width: Int? = nil) -> [String] {
        var widths = columns.indices.map { column in
            ([columns[column].head] + rows.map { $0[column] }).map { TerminalWidth.columns($0) }.max() ?? 0
        }
        if let width {
            var excess = widths.reduce(0, +) + Self.gap * (widths.count - 1) - width
            while excess > 0 {
                // The widest column of text gives way, down to the next widest.
                let candidates = columns.indices.filter { isText($0) && widths[$0] > Self.narrowest }
                guard let widest = candidates.max(by: { widths[$0] < widths[$1] }) else { return list(width: width) }
                let next = candidates.map { widths[$0] }.filter { $0 < widths[widest] }.max() ?? Self.narrowest
                let step = min(excess, max(1, widths[widest] - max(next, Self.narrowest)))
                widths[widest] -= step
                excess -= step
            }
        }
        let heads = line(columns.map(\.head), widths)
        let rule = hasRule ? [widths.map { String(repeating: "-", count: $0) }.joined(separator: "  ")] : []
        return heads + rule + rows.flatMap { line($0, widths) }
    }

    private func isText(_ column: Int) -> Bool {
        if case .text = columns[column] { true } else { false }
    }

    /// A row, in as many lines as its highest cell has.
    private func line(_ cells: [String], _ widths: [Int]) -> [String] {
        let wrapped = cells.enumerated().map { TerminalWidth.wrapped($1, to: widths[$0]) }
        return (0..<(wrapped.map(\.count).max() ?? 0)).map { index in
            var line = ""
            for column in columns.indices {
                let cell = index < wrapped[column].count ? wrapped[column][index] : ""
                if column > 0 { line += String(repeating: " ", count: Self.gap) }
                var isNumber = false
                if case .number = columns[column] { isNumber = true }
                line += TerminalWidth.padded(cell, to: widths[column], onTheLeft: isNumber)
            }
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    /// Each row as a list: a cell on a line of its own behind the head of its column.
    private func list(width: Int) -> [String] {
        let indent = (columns.map { TerminalWidth.columns($0.head) }.max() ?? 0) + Self.gap
        return rows.enumerated().flatMap { index, row in
            let lines = columns.indices.filter { !row[$0].isEmpty }.flatMap { column in
                TerminalWidth.wrapped(row[column], to: max(Self.narrowest, width - indent)).enumerated().map {
                    part, text in
                    TerminalWidth.padded(part == 0 ? columns[column].head : "", to: indent) + text
                }
            }
            return (index == 0 ? [] : [""]) + lines
        }
    }
}
