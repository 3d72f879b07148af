import Synchronization

/// Folders that hold many small files of one owner, each of them a ``FileStore``.
extension FileStore {
    /// The names in the folder that are wanted, in the order of their bytes; none if there is no folder. At most `limit` of them,
    /// whichever the system tells first. The demands on the folder are those on the folder of a file. Blocks.
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

    /// Claims the folder, by a lock on this file, until the object that is returned goes away; `nil` if somebody else has it, in this
    /// process or another. The folder is made if it is missing. Does not wait.
    package func claim() throws(Failure) -> FileClaim? {
        try lock(name, waits: false).map { FileClaim($0) }
    }

    /// Opens and locks a file of the folder. Both are made if they are missing. Returns `nil` if the lock is taken, unless asked to
    /// wait for it.
    func lock(_ name: String, waits: Bool) throws(Failure) -> Int32? {
        guard let directory = try openFolder(creating: true) else { throw Failure(.system, "there is no folder") }
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

/// The right to be the only one who uses a folder. It ends when it is released, with the object, and with the process, however that
/// ends. May be used from any thread.
package final class FileClaim: Sendable {
    private let descriptor: Mutex<Int32?>

    init(_ descriptor: Int32) {
        self.descriptor = Mutex(descriptor)
    }

    deinit {
        release()
    }

    /// Gives the folder back. Another time it does nothing.
    package func release() {
        descriptor.withLock { descriptor in
            // Closing it lets the lock go.
            if let descriptor { close(descriptor) }
            descriptor = nil
        }
    }
}
