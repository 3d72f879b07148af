import Foundation

/// The name of this installation, which `registerDevice` carries: random, and no user's.
enum InstallationID {
    /// The identifier kept in `root`; made the first time. Where nothing can be kept it lasts as long as the process asks.
    static func read(in root: URL) -> String {
        let file = root.appendingPathComponent("installation")
        guard (try? StorePlace.checkFolder(root)) != nil, let isKept = try? StorePlace.checkFile(file) else {
            return UUID().uuidString.lowercased()
        }
        if isKept, let text = try? String(contentsOf: file, encoding: .utf8), UUID(uuidString: text) != nil {
            return text
        }
        let identifier = UUID().uuidString.lowercased()
        let manager = FileManager.default
        try? manager.createDirectory(
            at: root, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        _ = manager.createFile(
            atPath: file.path, contents: Data(identifier.utf8), attributes: [.posixPermissions: 0o600])
        return identifier
    }
}
