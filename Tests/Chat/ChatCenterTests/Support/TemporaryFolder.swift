import Foundation

/// A folder that is deleted with the value.
final class TemporaryFolder: Sendable {
    let url: URL
    private let isKept: Bool

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("chatcenter-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        isKept = false
    }

    /// Uses a folder that other code creates and deletes.
    init(keeping url: URL) {
        self.url = url
        isKept = true
    }

    deinit {
        if !isKept { try? FileManager.default.removeItem(at: url) }
    }

    /// Writes a file and returns its URL.
    func write(_ name: String, _ bytes: some Sequence<UInt8>) throws -> URL {
        let file = url.appendingPathComponent(name)
        try Data(bytes).write(to: file)
        return file
    }

    /// Returns every file in the folder and its subfolders, with its bytes.
    func contents() throws -> [(path: String, bytes: Data)] {
        let names = FileManager.default.enumerator(atPath: url.path)?.allObjects as? [String] ?? []
        return try names.sorted().compactMap { name in
            let file = url.appendingPathComponent(name)
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder), !isFolder.boolValue else {
                return nil
            }
            return (name, try Data(contentsOf: file))
        }
    }
}
