import HoldfastTestSupport
import Foundation
import Testing

/// A table of a document under `docs`. Tests compare it with the behavior of the code.
struct DocumentTable {
    /// The first cell of each row, in order.
    let names: [String]
    private let rows: [String: [String]]

    /// Reads the table that starts with this header row.
    init(header: String, in document: String) throws {
        let text = try String(contentsOf: Repository.root.appending(path: "docs/" + document), encoding: .utf8)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let start = try #require(lines.firstIndex(of: header), "\(document) must contain the table")
        var names: [String] = []
        var rows: [String: [String]] = [:]
        for line in lines.dropFirst(start + 2).prefix(while: { $0.hasPrefix("|") }) {
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
                .map { $0.trimmingCharacters(in: .whitespaces) }
            let name = try #require(cells.first)
            names.append(name)
            rows[name] = Array(cells.dropFirst())
        }
        self.names = names
        self.rows = rows
    }

    /// Returns the cells after the first one. Fails the test if the row does not exist.
    func cells(_ name: String) throws -> [String] {
        try #require(rows[name], "there must be a row \(name)")
    }

    /// Returns the text between the last two backticks of a cell.
    static func code(in cell: String) -> String? {
        let parts = cell.split(separator: "`", omittingEmptySubsequences: false)
        return parts.count >= 3 ? String(parts[parts.count - 2]) : nil
    }
}
