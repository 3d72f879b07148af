import Synchronization

/// Folders that hold many small files of one owner. Each file is a ``FileStore``.
extension FileStore {
    /// Returns the names in the folder that match, sorted by their bytes. Returns an empty list if the folder does not
    /// exist.
    ///
    /// Returns at most `limit` names, in the order in which the system lists them. The folder must meet the same
    /// requirements as the folder of a file. Blocks the calling thread.
    package static func names(
        in folder: String, limit: Int, where isWanted: (String) -> Bool
    ) throws(Failure) -> [String] {
        guard let directory = try FileStore(folder: folder, name: "", limit: 0).openFolder(creating: false) else {
            return []
        }
        guard let stream = fdopendir(directory) else {
            let failure = Failure(system: "the folder cannot be listed")
            close(directory)
            throw failure
        }
        defer { closedir(stream) }
        var names: [String] = []
        while names.count < limit, let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if isWanted(name) { names.append(name) }
        }
        return names.sorted()
    }

    /// Claims the folder with a lock on this file until the returned object is released. Creates the folder if it does
    /// not exist. Does not wait.
    ///
    /// Returns `nil` if another claim exists, in this or another process.
    package func claim() throws(Failure) -> FileClaim? {
        try lock(name, waits: false).map { FileClaim($0) }
    }

    /// Opens and locks a file in the folder. Creates the folder and the file if they do not exist. Returns `nil` if the
    /// lock is taken, unless `waits` is set.
    func lock(_ name: String, waits: Bool) throws(Failure) -> Int32? {
        guard let directory = try openFolder(creating: true) else {
            throw Failure(.system, "the folder does not exist")
        }
        defer { close(directory) }
        let lock = openat(directory, name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, mode_t(0o600))
        guard lock >= 0 else { throw Failure(system: "the lock cannot be opened") }
        while flock(lock, waits ? LOCK_EX : LOCK_EX | LOCK_NB) != 0 {
            if errno == EINTR { continue }
            let failure = Failure(system: "the lock cannot be taken")
            let isTaken = !waits && errno == EWOULDBLOCK
            close(lock)
            if isTaken { return nil }
            throw failure
        }
        return lock
    }
}

/// An exclusive claim to a folder. It ends with ``release()``, when the object is deallocated, or when the process ends
/// for any reason. Safe to use from any thread.
package final class FileClaim: Sendable {
    private let descriptor: Mutex<Int32?>

    init(_ descriptor: Int32) {
        self.descriptor = Mutex(descriptor)
    }

    deinit {
        release()
    }

    /// Releases the claim. Further calls have no effect.
    package func release() {
        descriptor.withLock { descriptor in
            guard let open = descriptor else { return }
            // Closing the file would not be enough: a process that another thread starts has a copy of the descriptor
            // for a moment.
            _ = flock(open, LOCK_UN)
            close(open)
            descriptor = nil
        }
    }
}
