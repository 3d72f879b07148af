/// One small file that only its owner may read, replaced as a whole or not at all.
///
/// Written to a file beside it, flushed, renamed, and the folder flushed: after a crash or a power loss there is the old
/// file or the new one. The file has mode 0600 in a folder of mode 0700. Links are not followed, and a file or folder
/// that belongs to somebody else, or that others may write to, is refused: whoever can write there could put anything in
/// its place. Blocks the calling thread.
package struct FileStore: Hashable, Sendable {
    /// The folder, which is made if it is missing (its parents are not).
    package let folder: String
    /// The name of the file in the folder.
    package let name: String
    /// The most bytes that are read.
    package let limit: Int

    /// Names a file. Nothing is touched.
    package init(folder: String, name: String, limit: Int) {
        self.folder = folder
        self.name = name
        self.limit = limit
    }

    /// The contents; `nil` if there is no file.
    package func load() throws(Failure) -> [UInt8]? {
        guard let directory = try openFolder(creating: false) else { return nil }
        defer { close(directory) }
        return try Self.contents(openat(directory, name, Self.readingFlags), limit: limit)
    }

    /// The contents of a file anywhere, with the same demands on the file; those on its folder are its owner's business.
    /// `nil` if there is no file.
    package static func load(path: String, limit: Int) throws(Failure) -> [UInt8]? {
        try contents(open(path, readingFlags), limit: limit)
    }

    private static let readingFlags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK

    /// Reads and closes a file that was just opened, or was not.
    private static func contents(_ file: Int32, limit: Int) throws(Failure) -> [UInt8]? {
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            if errno == ELOOP { throw Failure(.unsuitable, "it is a symbolic link, and links are not followed") }
            throw Failure(system: "the file cannot be opened")
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw Failure(system: "the file cannot be looked at") }
        guard status.st_mode & S_IFMT == S_IFREG else { throw Failure(.unsuitable, "it is no regular file") }
        guard status.st_uid == geteuid() else { throw Failure(.foreignOwner, "the file belongs to somebody else") }
        guard status.st_mode & 0o077 == 0 else {
            throw Failure(.tooOpen, "others than the owner may use the file (its mode must be 0600)")
        }
        let bytes: [UInt8]?
        do throws(SystemError) {
            bytes = try SystemCalls.readAll(from: file, limit: limit)
        } catch {
            throw Failure(system: "the file cannot be read", error)
        }
        guard let bytes else { throw Failure(.tooLarge, "the file has more than \(limit) bytes") }
        return bytes
    }

    /// Replaces the file.
    package func save(_ bytes: [UInt8]) throws(Failure) {
        guard bytes.count <= limit else {
            throw Failure(.tooLarge, "\(bytes.count) bytes are more than are read back")
        }
        guard let directory = try openFolder(creating: true) else { throw Failure(.system, "there is no folder") }
        defer { close(directory) }
        // Two processes that save at once are kept apart by ``locked(_:)``.
        do throws(DurableFile.Failure) {
            try DurableFile.replace(name, temporary: temporary, in: directory, flushesFolder: true, with: bytes)
        } catch {
            throw Failure(system: error.step.rawValue, error.error)
        }
    }

    /// Removes the file, and what a crash left of its successor. One that is not there is no failure.
    package func remove() throws(Failure) {
        guard let directory = try openFolder(creating: false) else { return }
        defer { close(directory) }
        for name in [temporary, name] where unlinkat(directory, name, 0) != 0 && errno != ENOENT {
            throw Failure(system: "the file cannot be removed")
        }
        guard fsync(directory) == 0 else { throw Failure(system: "the folder cannot be flushed") }
    }

    /// Whether there is something in the folder's place.
    package var folderExists: Bool { access(folder, F_OK) == 0 }

    /// Makes the folders above the folder that are missing, each with mode 0700.
    package func makeParents() throws(Failure) {
        var path = ""
        for part in folder.split(separator: "/").dropLast() {
            path += (path.isEmpty && !folder.hasPrefix("/") ? "" : "/") + part
            if mkdir(path, 0o700) != 0, errno != EEXIST {
                throw Failure(system: "a folder above it cannot be made")
            }
        }
    }

    /// Runs `work` while no other process and no other thread does, so that what it reads is still there when it writes.
    package func locked<Result>(_ work: () throws(Failure) -> Result) throws(Failure) -> Result {
        guard let lock = try lock(".\(name).lock", waits: true) else { throw Failure(.system, "the lock is taken") }
        defer { close(lock) }
        return try work()
    }

    // MARK: - Pieces

    private var temporary: String { ".\(name).new" }

    /// Opens the folder, and makes it if asked to; `nil` if it is missing.
    func openFolder(creating: Bool) throws(Failure) -> Int32? {
        if creating, mkdir(folder, 0o700) != 0, errno != EEXIST { throw Failure(system: "the folder cannot be made") }
        let directory = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard directory >= 0 else {
            if errno == ENOENT { return nil }
            // O_DIRECTORY comes first: a link is "not a directory" to Linux, and a loop elsewhere.
            if errno == ELOOP || errno == ENOTDIR {
                throw Failure(.unsuitable, "it is no folder, or a symbolic link to one")
            }
            throw Failure(system: "the folder cannot be opened")
        }
        var status = stat()
        guard fstat(directory, &status) == 0 else {
            let failure = Failure(system: "the folder cannot be looked at")
            close(directory)
            throw failure
        }
        let problem: Failure? =
            if status.st_uid != geteuid() {
                Failure(.foreignOwner, "the folder belongs to somebody else")
            } else if status.st_mode & 0o077 != 0 {
                Failure(.tooOpen, "others than the owner may use the folder (its mode must be 0700)")
            } else {
                nil
            }
        guard let problem else { return directory }
        close(directory)
        throw problem
    }
}

extension FileStore {
    /// Why a file cannot be used.
    package struct Failure: Error, Hashable {
        /// What a caller may want to tell apart.
        package enum Kind: Hashable, Sendable {
            /// Others than the owner may use the file or the folder.
            case tooOpen
            /// The file or the folder belongs to somebody else.
            case foreignOwner
            /// It is a link, a device, a pipe; or it is no folder where one is wanted.
            case unsuitable
            /// It has more bytes than are read.
            case tooLarge
            /// The system reported an error.
            case system
        }

        /// What kind of failure it is.
        package var kind: Kind
        /// Words for a person, without a full stop.
        package var reason: String

        package init(_ kind: Kind, _ reason: String) {
            self.kind = kind
            self.reason = reason
        }

        /// With the system's own words for what went wrong, which is the last error unless given.
        package init(system what: String, _ error: SystemError = .last) {
            kind = .system
            reason = "\(what): \(error)"
        }
    }
}
