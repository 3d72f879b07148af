import Foundation

/// The pages of the documentation.
enum Documents {
    /// Returns the cells of all table rows of a page, without white space around them.
    static func rows(of page: String, from file: String = #filePath) throws -> [[String]] {
        var folder = URL(fileURLWithPath: file).deletingLastPathComponent()
        while !FileManager.default.fileExists(atPath: folder.appendingPathComponent("Package.swift").path) {
            let parent = folder.deletingLastPathComponent()
            guard parent.path != folder.path else { throw CocoaError(.fileNoSuchFile) }
            folder = parent
        }
        let text = try String(contentsOf: folder.appendingPathComponent(page), encoding: .utf8)
        return text.split(separator: "\n").filter { $0.hasPrefix("|") }.map { line in
            line.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false).map {
                $0.trimmingCharacters(in: .whitespaces)
            }
        }
    }
}
