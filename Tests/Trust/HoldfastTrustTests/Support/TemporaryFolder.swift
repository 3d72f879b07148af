import Foundation

/// A folder for one test.
struct TemporaryFolder {
    let root: URL

    /// Creates a folder, passes it to `work`, and deletes it.
    static func use<Result>(_ work: (TemporaryFolder) throws -> Result) throws -> Result {
        let root = FileManager.default.temporaryDirectory.appending(path: "holdfast-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: root) }
        return try work(TemporaryFolder(root: root.resolvingSymlinksInPath()))
    }

    func path(_ name: String) -> String { root.path + "/" + name }

    /// Writes a file and returns its path.
    @discardableResult
    func write(_ bytes: [UInt8], to name: String) throws -> String {
        try Data(bytes).write(to: URL(filePath: path(name)))
        return path(name)
    }

    @discardableResult
    func write(_ text: String, to name: String) throws -> String {
        try write(Array(text.utf8), to: name)
    }

    /// Creates a folder inside and returns its path.
    func makeFolder(_ name: String) throws -> String {
        try FileManager.default.createDirectory(atPath: path(name), withIntermediateDirectories: true)
        return path(name)
    }
}
