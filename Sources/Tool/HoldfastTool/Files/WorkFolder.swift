import Foundation
import HoldfastSystem
import Synchronization

/// A temporary folder that is removed with the last reference to it, or when the process ends.
///
/// The folder contains a lock file that the process keeps locked. A crash releases the lock, and the next start removes
/// the folder.
final class WorkFolder: Sendable {
    /// The prefix of the folders' names.
    static let prefix = "holdfast-tool-"
    /// The name of the lock file.
    static let lockName = ".lock"
    /// The suffix of the name of a folder that is being removed.
    static let doomedSuffix = "-removed"

    private let url: URL
    /// The locks of the folders that this process created, by path. They stay until the process ends, because running
    /// code might create a removed folder again.
    private static let made = Mutex<[String: Int32]>([:])

    /// Creates a folder that only its owner can read. Throws one sentence.
    init() throws(ToolError) {
        let parent = FileManager.default.temporaryDirectory
        for _ in 0..<3 {
            let path = parent.appendingPathComponent(Self.prefix + UUID().uuidString).path
            guard mkdir(path, 0o700) == 0 else { break }
            guard let lock = Self.lock(path) else { continue }
            Self.made.withLock { $0[path] = lock }
            url = URL(fileURLWithPath: path, isDirectory: true)
            return
        }
        throw ToolError(
            "cannot create a temporary folder in '\(parent.path)': \(SystemError.last). "
                + "Set TMPDIR to a folder that you can write to")
    }

    deinit {
        Self.remove(url.path)
    }

    /// Returns the path of an item in the folder.
    func path(_ name: String) -> String {
        url.appendingPathComponent(name).path
    }

    /// Returns the URL of an item in the folder.
    func url(_ name: String) -> URL {
        url.appendingPathComponent(name)
    }

    /// Writes a file and returns its path. Throws one sentence.
    func write(_ bytes: [UInt8], as name: String) throws(ToolError) -> String {
        do {
            try Data(bytes).write(to: url(name))
        } catch {
            throw ToolError("cannot write \(path(name))")
        }
        return path(name)
    }

    // MARK: Removal

    /// Removes every folder of this process. The process must end after this call.
    static func removeAll() {
        for path in made.withLock({ Array($0.keys) }) { remove(path) }
    }

    /// Removes the folders of processes that ended without removing them.
    ///
    /// Skips what another user owns or can read, what is not a folder, and what a process still locks.
    static func removeLeftovers(in parent: String = FileManager.default.temporaryDirectory.path) {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: parent) else { return }
        for name in names where name.hasPrefix(prefix) {
            let path = parent + "/" + name
            var status = stat()
            guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid(),
                status.st_mode & 0o077 == 0, made.withLock({ $0[path] }) == nil
            else { continue }
            guard !name.hasSuffix(doomedSuffix) else {
                // Another process began to remove this folder.
                try? FileManager.default.removeItem(atPath: path)
                continue
            }
            guard let lock = Self.lock(path, creates: false) else {
                // Empty if its process ended before creating the lock. `rmdir` removes only empty folders.
                rmdir(path)
                continue
            }
            remove(path)
            close(lock)
        }
    }

    /// Moves the folder away before removing it, so that code that still has its path cannot add files to it.
    private static func remove(_ path: String) {
        let doomed = path + doomedSuffix
        guard rename(path, doomed) == 0 else { return }
        // The next start removes what cannot be removed now.
        try? FileManager.default.removeItem(atPath: doomed)
    }

    /// Locks the folder. Returns `nil` if another process has locked or removed it.
    private static func lock(_ path: String, creates: Bool = true) -> Int32? {
        let file = path + "/" + lockName
        let flags = O_RDWR | O_NOFOLLOW | O_CLOEXEC
        let descriptor = creates ? open(file, flags | O_CREAT | O_EXCL, 0o600) : open(file, flags)
        guard descriptor >= 0 else { return nil }
        var (opened, named) = (stat(), stat())
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, fstat(descriptor, &opened) == 0, lstat(file, &named) == 0,
            opened.st_ino == named.st_ino, opened.st_dev == named.st_dev, opened.st_uid == geteuid()
        else {
            close(descriptor)
            return nil
        }
        return descriptor
    }
}
