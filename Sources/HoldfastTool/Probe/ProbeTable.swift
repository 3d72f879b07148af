/// A table in plain text: columns as wide as their widest cell, two spaces between them.
struct ProbeTable {
    private var rows: [[String]]

    /// Begins with the heads of the columns.
    init(_ heads: [String]) {
        rows = [heads]
    }

    /// Adds a row. Cells that are too long are cut, so that one certificate cannot push the others out of sight.
    mutating func add(_ cells: [String], limit: Int = 48) {
        rows.append(cells.map { $0.count <= limit ? $0 : String($0.prefix(limit - 1)) + "…" })
    }

    /// The lines.
    var lines: [String] {
        let count = rows.map(\.count).max() ?? 0
        let widths = (0..<count).map { column in
            rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
        }
        return rows.map { row in
            var line = ""
            for (column, cell) in row.enumerated() {
                line += cell
                if column < row.count - 1 { line += String(repeating: " ", count: widths[column] - cell.count + 2) }
            }
            while line.last == " " { line.removeLast() }
            return line
        }
    }
}
