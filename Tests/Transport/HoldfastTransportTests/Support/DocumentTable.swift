import HoldfastTestSupport
import Foundation
import Testing

/// A table of a document under `docs`, so that a test can compare the document with the code.
struct DocumentTable {
    /// The cells of each row, in order.
    let rows: [[String]]

    /// Reads the table that begins with this header row.
    init(header: String, in document: String) throws {
        let text = try String(contentsOf: Repository.root.appending(path: "docs/\(document)"), encoding: .utf8)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let start = try #require(lines.firstIndex(of: header), "\(document) has no such table")
        rows = lines.dropFirst(start + 2).prefix { $0.hasPrefix("|") }.map { line in
            line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
                .map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    /// Returns the texts between backticks in a cell.
    static func codes(in cell: String) -> [String] {
        cell.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }

    /// Returns the texts between asterisks in a cell.
    static func lists(in cell: String) -> [String] {
        cell.split(separator: "*", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }
}
