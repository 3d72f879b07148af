import Foundation

/// A folder for the stores of the SDKs. The benchmark removes it at its end.
package struct WorkFolder: Sendable {
    /// The folder. It is not in ``FileManager/temporaryDirectory``, which may be in memory, where a commit costs
    /// nothing.
    package let root: URL

    package init(in parent: URL) throws {
        root = parent.appendingPathComponent("holdfast-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    }

    /// Creates a new empty folder.
    package func fresh() throws -> URL {
        let url = root.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        return url
    }

    package func remove() {
        try? FileManager.default.removeItem(at: root)
    }

    /// Returns all files below a folder.
    package static func files(below url: URL) -> [URL] {
        let all = FileManager.default.enumerator(at: url, includingPropertiesForKeys: nil)
        return (all?.allObjects ?? []).compactMap { $0 as? URL }.filter { !$0.hasDirectoryPath }
    }
}
