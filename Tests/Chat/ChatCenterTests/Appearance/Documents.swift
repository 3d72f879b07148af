import Foundation

/// The pages of the documentation, and the sources that they describe.
enum Documents {
    /// Returns a file of the repository.
    static func text(of path: String, from file: String = #filePath) throws -> String {
        try String(contentsOf: root(of: file).appendingPathComponent(path), encoding: .utf8)
    }

    /// Returns all files with one of these extensions in a folder of the repository and in its folders, one after the
    /// other. Files with `name` in their name are left out.
    static func text(
        in folder: String, with extensions: Set<String>, without name: String? = nil, from file: String = #filePath
    ) throws -> String {
        let place = try root(of: file).appendingPathComponent(folder)
        let paths = try FileManager.default.subpathsOfDirectory(atPath: place.path).sorted().filter { path in
            extensions.contains((path as NSString).pathExtension) && name.map { path.contains($0) } != true
        }
        return try paths.map { try String(contentsOf: place.appendingPathComponent($0), encoding: .utf8) }.joined()
    }

    private static func root(of file: String) throws -> URL {
        var folder = URL(fileURLWithPath: file).deletingLastPathComponent()
        while !FileManager.default.fileExists(atPath: folder.appendingPathComponent("Package.swift").path) {
            let parent = folder.deletingLastPathComponent()
            guard parent.path != folder.path else { throw CocoaError(.fileNoSuchFile) }
            folder = parent
        }
        return folder
    }

    /// Returns the cells of all table rows of a page, without white space around them.
    static func rows(of page: String, from file: String = #filePath) throws -> [[String]] {
        try text(of: page, from: file).split(separator: "\n").filter { $0.hasPrefix("|") }.map { line in
            line.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false).map {
                $0.trimmingCharacters(in: .whitespaces)
            }
        }
    }
}
