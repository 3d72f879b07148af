import Foundation

/// A temporary folder, removed with the last reference to it.
final class WorkFolder: Sendable {
    private let url: URL

    /// Makes a folder of its own, which nobody else can read. Throws one sentence.
    init() throws(ToolError) {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("holdfast-\(UUID().uuidString)")
        do {
            try FileManager.default.createDirectory(
                at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw ToolError("cannot make a temporary folder in \(FileManager.default.temporaryDirectory.path)")
        }
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// The path of something in the folder.
    func path(_ name: String) -> String {
        url.appendingPathComponent(name).path
    }

    /// The URL of something in the folder.
    func url(_ name: String) -> URL {
        url.appendingPathComponent(name)
    }

    /// Writes a file and answers with its path. Throws one sentence.
    func write(_ bytes: [UInt8], as name: String) throws(ToolError) -> String {
        do {
            try Data(bytes).write(to: url(name))
        } catch {
            throw ToolError("cannot write \(path(name))")
        }
        return path(name)
    }
}
