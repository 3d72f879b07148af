import Foundation

/// A folder for one test.
struct TemporaryFolder: Sendable {
    let root: String

    /// Creates a folder, passes it to `work`, and deletes it.
    static func use<Result>(_ work: (TemporaryFolder) async throws -> Result) async throws -> Result {
        let root = FileManager.default.temporaryDirectory.appending(path: "holdfast-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: root) }
        return try await work(TemporaryFolder(root: root.resolvingSymlinksInPath().path))
    }

    func path(_ name: String) -> String { root + "/" + name }

    /// Writes a file and returns its path.
    @discardableResult
    func write(_ text: String, to name: String, mode: Int = 0o600) throws -> String {
        try Data(text.utf8).write(to: URL(filePath: path(name)))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path(name))
        return path(name)
    }
}
