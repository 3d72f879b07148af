#if os(Linux)
import Foundation
import Glibc

/// Detects, with inotify, every access to a folder and its contents: opening, reading, writing, creating, deleting. It
/// does not detect `stat`.
final class FileWatch {
    private static let everything = UInt32(
        IN_ACCESS | IN_MODIFY | IN_ATTRIB | IN_CLOSE_WRITE | IN_CLOSE_NOWRITE | IN_OPEN | IN_MOVED_FROM | IN_MOVED_TO
            | IN_CREATE | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF)

    private let descriptor: CInt

    /// Watches a folder and all its subfolders.
    init(_ root: URL) throws {
        descriptor = inotify_init1(CInt(IN_NONBLOCK))
        guard descriptor >= 0 else { throw POSIXError(.EMFILE) }
        let below = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)?.allObjects ?? []
        let folders = [root] + below.compactMap { $0 as? URL }.filter(\.hasDirectoryPath)
        for folder in folders where inotify_add_watch(descriptor, folder.path, Self.everything) < 0 {
            throw POSIXError(.ENOENT)
        }
    }

    deinit {
        close(descriptor)
    }

    /// Returns whether an access occurred since the last call.
    func hasHeard() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 4096)
        var hasHeard = false
        while read(descriptor, &buffer, buffer.count) > 0 { hasHeard = true }
        return hasHeard
    }
}
#endif
