import HoldfastBase

/// A table in plain text. Without a width, columns are as wide as their widest cell. With a width, cells are wrapped;
/// if the table would be too narrow to read, each row becomes a list of its cells.
struct TextTable {
    /// The alignment of a column, and whether its cells may be wrapped.
    enum Column: Hashable, Sendable {
        case text(String)
        /// Aligned to the right.
        case number(String)
        /// Not wrapped: hashes and dates are useless in pieces.
        case whole(String)

        var head: String {
            switch self {
            case .text(let head), .number(let head), .whole(let head): head
            }
        }
    }

    /// The number of columns between two cells.
    private static let gap = 2
    /// The minimum width of a text column.
    private static let narrowest = 16

    /// The cells of a row, and the meanings of some columns, which the style colors.
    private struct Row {
        var cells: [String]
        var meanings: [Int: TerminalStyle.Meaning]
    }

    private let columns: [Column]
    private var rows: [Row] = []
    /// Whether a line of dashes follows the column titles.
    private let hasRule: Bool

    /// Creates a table with these columns.
    init(_ columns: [Column], hasRule: Bool = false) {
        self.columns = columns
        self.hasRule = hasRule
    }

    /// Adds a row: one cell per column.
    ///
    /// - Parameters:
    ///   - limit: Longer cells are cut, so that one cell cannot push the others out of sight.
    ///   - meanings: The meanings of cells, by column.
    mutating func add(_ cells: [String], limit: Int = 1_024, meanings: [Int: TerminalStyle.Meaning] = [:]) {
        rows.append(Row(cells: cells.map { TerminalWidth.clipped($0, to: limit) }, meanings: meanings))
    }

    /// Returns the lines.
    ///
    /// - Parameters:
    ///   - width: The columns of the terminal; `nil` for no limit.
    ///   - style: The style of the cells with a meaning.
    func lines(width: Int? = nil, style: TerminalStyle = .plain) -> [String] {
        var widths = columns.indices.map { column in
            ([columns[column].head] + rows.map { $0.cells[column] }).map { TerminalWidth.columns($0) }.max() ?? 0
        }
        if let width {
            var excess = widths.reduce(0, +) + Self.gap * (widths.count - 1) - width
            while excess > 0 {
                // Shrink the widest text column to the width of the next widest.
                let candidates = columns.indices.filter { isText($0) && widths[$0] > Self.narrowest }
                guard let widest = candidates.max(by: { widths[$0] < widths[$1] }) else {
                    return list(width: width, style)
                }
                let next = candidates.map { widths[$0] }.filter { $0 < widths[widest] }.max() ?? Self.narrowest
                let step = min(excess, max(1, widths[widest] - max(next, Self.narrowest)))
                widths[widest] -= step
                excess -= step
            }
        }
        let heads = line(Row(cells: columns.map(\.head), meanings: [:]), widths, style)
        let rule = hasRule ? [widths.map { String(repeating: "-", count: $0) }.joined(separator: "  ")] : []
        return heads + rule + rows.flatMap { line($0, widths, style) }
    }

    private func isText(_ column: Int) -> Bool {
        if case .text = columns[column] { true } else { false }
    }

    /// Returns a row, in as many lines as its tallest cell has.
    private func line(_ row: Row, _ widths: [Int], _ style: TerminalStyle) -> [String] {
        let wrapped = row.cells.enumerated().map { TerminalWidth.wrapped($1, to: widths[$0]) }
        return (0..<(wrapped.map(\.count).max() ?? 0)).map { index in
            var line = ""
            for column in columns.indices {
                let cell = index < wrapped[column].count ? wrapped[column][index] : ""
                if column > 0 { line += String(repeating: " ", count: Self.gap) }
                var isNumber = false
                if case .number = columns[column] { isNumber = true }
                let colored = row.meanings[column].map { style.text(cell, $0) } ?? cell
                line += TerminalWidth.padded(colored, to: widths[column], onTheLeft: isNumber)
            }
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    /// Returns each row as a list: one cell per line, after its column's title.
    private func list(width: Int, _ style: TerminalStyle) -> [String] {
        let indent = (columns.map { TerminalWidth.columns($0.head) }.max() ?? 0) + Self.gap
        return rows.enumerated().flatMap { index, row in
            let lines = columns.indices.filter { !row.cells[$0].isEmpty }.flatMap { column in
                TerminalWidth.wrapped(row.cells[column], to: max(Self.narrowest, width - indent)).enumerated().map {
                    part, text in
                    TerminalWidth.padded(part == 0 ? columns[column].head : "", to: indent)
                        + (row.meanings[column].map { style.text(text, $0) } ?? text)
                }
            }
            return (index == 0 ? [] : [""]) + lines
        }
    }
}
