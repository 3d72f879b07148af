import Foundation

/// Folders for what the SDKs keep; gone with the benchmark.
struct WorkFolder: Sendable {
    /// Not ``FileManager/temporaryDirectory`` by itself: that may be memory, and a commit would cost nothing there.
    let root: URL

    init(in parent: URL) throws {
        root = parent.appendingPathComponent("holdfast-chatbench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    }

    /// A folder of its own.
    func fresh() throws -> URL {
        let url = root.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        return url
    }

    func remove() {
        try? FileManager.default.removeItem(at: root)
    }

    /// Every file below a folder.
    static func files(below url: URL) -> [URL] {
        let all = FileManager.default.enumerator(at: url, includingPropertiesForKeys: nil)
        return (all?.allObjects ?? []).compactMap { $0 as? URL }.filter { !$0.hasDirectoryPath }
    }
}
