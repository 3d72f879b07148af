/// A small file that only its owner may read and that is always replaced as a whole.
///
/// A save writes a temporary file in the same folder, flushes it, renames it and flushes the folder. After a crash or a
/// power loss, either the old or the new file exists. The file has mode 0600 and its folder mode 0700.
///
/// Symbolic links are not followed. A file or folder that belongs to another user, or that others may write to, is
/// refused, because another user could replace the contents. Blocks the calling thread.
package struct FileStore: Hashable, Sendable {
    /// The folder, which is created if it does not exist. Its parents are not created.
    package let folder: String
    /// The name of the file in the folder.
    package let name: String
    /// The maximum number of bytes to read.
    package let limit: Int

    /// Creates a store for a file. Does not access the file system.
    package init(folder: String, name: String, limit: Int) {
        self.folder = folder
        self.name = name
        self.limit = limit
    }

    /// Returns the contents, or `nil` if the file does not exist.
    package func load() throws(Failure) -> [UInt8]? {
        guard let directory = try openFolder(creating: false) else { return nil }
        defer { close(directory) }
        return try Self.contents(openat(directory, name, Self.readingFlags), limit: limit)
    }

    /// Returns the contents of a file in any folder, or `nil` if the file does not exist. Applies the same checks to
    /// the file, but none to its folder.
    package static func load(path: String, limit: Int) throws(Failure) -> [UInt8]? {
        try contents(open(path, readingFlags), limit: limit)
    }

    private static let readingFlags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK

    /// Reads and closes a file after a call of `open`, which may have failed.
    private static func contents(_ file: Int32, limit: Int) throws(Failure) -> [UInt8]? {
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            if errno == ELOOP { throw Failure(.unsuitable, "the file is a symbolic link, and links are not followed") }
            throw Failure(system: "the file cannot be opened")
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw Failure(system: "the state of the file cannot be read") }
        guard status.st_mode & S_IFMT == S_IFREG else { throw Failure(.unsuitable, "it is not a regular file") }
        guard status.st_uid == geteuid() else { throw Failure(.foreignOwner, "the file belongs to another user") }
        guard status.st_mode & 0o077 == 0 else {
            throw Failure(.tooOpen, "users other than the owner may use the file (its mode must be 0600)")
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
            throw Failure(.tooLarge, "the \(bytes.count) bytes exceed the limit of \(limit)")
        }
        guard let directory = try openFolder(creating: true) else {
            throw Failure(.system, "the folder does not exist")
        }
        defer { close(directory) }
        // ``locked(_:)`` separates two processes that save at the same time.
        do throws(DurableFile.Failure) {
            try DurableFile.replace(name, temporary: temporary, in: directory, flushesFolder: true, with: bytes)
        } catch {
            throw Failure(system: error.step.rawValue, error.error)
        }
    }

    /// Removes the file and the temporary file of an interrupted save. A missing file is not an error.
    package func remove() throws(Failure) {
        guard let directory = try openFolder(creating: false) else { return }
        defer { close(directory) }
        for name in [temporary, name] where unlinkat(directory, name, 0) != 0 && errno != ENOENT {
            throw Failure(system: "the file cannot be removed")
        }
        guard fsync(directory) == 0 else { throw Failure(system: "the folder cannot be flushed") }
    }

    /// Whether the folder's path exists.
    package var folderExists: Bool { access(folder, F_OK) == 0 }

    /// Creates the missing parents of the folder, each with mode 0700.
    package func makeParents() throws(Failure) {
        var path = ""
        for part in folder.split(separator: "/").dropLast() {
            path += (path.isEmpty && !folder.hasPrefix("/") ? "" : "/") + part
            if mkdir(path, 0o700) != 0, errno != EEXIST {
                throw Failure(system: "a folder above it cannot be created")
            }
        }
    }

    /// Runs `work` while it holds a lock that excludes all other processes and threads, so that the file does not
    /// change between reading and writing.
    package func locked<Result>(_ work: () throws(Failure) -> Result) throws(Failure) -> Result {
        guard let lock = try lock(".\(name).lock", waits: true) else { throw Failure(.system, "the lock is taken") }
        defer { close(lock) }
        return try work()
    }

    // MARK: - Implementation

    private var temporary: String { ".\(name).new" }

    /// Opens the folder. Creates it if `creating` is set. Returns `nil` if it does not exist.
    func openFolder(creating: Bool) throws(Failure) -> Int32? {
        if creating, mkdir(folder, 0o700) != 0, errno != EEXIST {
            throw Failure(system: "the folder cannot be created")
        }
        let directory = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard directory >= 0 else {
            if errno == ENOENT { return nil }
            // O_DIRECTORY is evaluated first: for a link, Linux reports ENOTDIR and other systems ELOOP.
            if errno == ELOOP || errno == ENOTDIR {
                throw Failure(.unsuitable, "it is not a folder, or it is a symbolic link to one")
            }
            throw Failure(system: "the folder cannot be opened")
        }
        var status = stat()
        guard fstat(directory, &status) == 0 else {
            let failure = Failure(system: "the state of the folder cannot be read")
            close(directory)
            throw failure
        }
        let problem: Failure? =
            if status.st_uid != geteuid() {
                Failure(.foreignOwner, "the folder belongs to another user")
            } else if status.st_mode & 0o077 != 0 {
                Failure(.tooOpen, "users other than the owner may use the folder (its mode must be 0700)")
            } else {
                nil
            }
        guard let problem else { return directory }
        close(directory)
        throw problem
    }

    /// The reason why a file cannot be used.
    package struct Failure: Error, Hashable {
        /// The kinds of failure that a caller may handle differently.
        package enum Kind: Hashable, Sendable {
            /// Users other than the owner may use the file or the folder.
            case tooOpen
            /// The file or the folder belongs to another user.
            case foreignOwner
            /// The file is a link, a device or a pipe, or the path of the folder is not a folder.
            case unsuitable
            /// The file exceeds the size limit.
            case tooLarge
            /// The system reported an error.
            case system
        }

        /// The kind of failure.
        package var kind: Kind
        /// A description for people, without a full stop.
        package var reason: String

        package init(_ kind: Kind, _ reason: String) {
            self.kind = kind
            self.reason = reason
        }

        /// Creates a failure with the system's description of an error, by default of the last one.
        package init(system what: String, _ error: SystemError = .last) {
            kind = .system
            reason = "\(what): \(error)"
        }
    }
}
