import HoldfastSystem

/// The partial file of a download, next to the destination, and its record. All methods block.
///
/// Both files are created with mode 0600 and never through a symbolic link. A partial file is refused if it belongs to
/// another user, is accessible to others, or has a second link. Otherwise another user could add bytes to the download.
/// The partial file stays locked for the lifetime of this object.
///
/// Written bytes survive `kill -9`. After a power loss, the length of the partial file may include bytes that were not
/// flushed; only a checksum detects this. The file is renamed to the destination only after all bytes are flushed.
package final class PartialFile: Sendable {
    /// The path of the destination.
    let destination: String
    private let name: String
    private let directory: CInt
    private let descriptor: CInt
    /// Whether the destination existed when the partial file was locked.
    let hadDestination: Bool

    private var part: String { Self.name(of: name) }
    private var sidecar: String { Self.recordName(of: name) }
    private var newSidecar: String { sidecar + ".new" }

    /// Returns the name of the partial file of a destination, which is in the same folder.
    package static func name(of destination: String) -> String { ".\(destination).download" }

    /// Returns the name of the partial file's record.
    package static func recordName(of destination: String) -> String { name(of: destination) + ".json" }

    /// Opens the partial file for a destination, or creates it.
    init(for destination: String) throws(TransferError) {
        let slash = destination.lastIndex(of: "/")
        let name = String(slash.map { destination[destination.index(after: $0)...] } ?? destination[...])
        let folder = slash.map { $0 == destination.startIndex ? "/" : String(destination[..<$0]) } ?? "."
        guard !name.isEmpty, name != ".", name != "..", !destination.utf8.contains(0) else {
            throw TransferError(.fileUnusable, "The destination path does not end with a file name.")
        }
        let directory = openat(AT_FDCWD, folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { throw Self.unusable("The folder of the destination cannot be opened") }
        do throws(TransferError) {
            Self.removePublishedPart(of: name, in: directory)
            descriptor = try Self.open(Self.name(of: name), in: directory)
        } catch {
            close(directory)
            throw error
        }
        hadDestination = DurableFile.exists(name, in: directory)
        self.destination = destination
        self.name = name
        self.directory = directory
    }

    deinit {
        close(descriptor)
        close(directory)
    }

    // MARK: The part

    /// Returns the number of bytes in the partial file.
    func size() throws(TransferError) -> Int64 {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Self.unusable("The partial file cannot be examined") }
        return Int64(status.st_size)
    }

    /// Truncates the partial file and flushes the change. After a power loss, the record of another file must not
    /// describe bytes that were removed.
    func truncate(to size: Int64) throws(TransferError) {
        guard try self.size() != size else { return }
        guard ftruncate(descriptor, off_t(size)) == 0, fsync(descriptor) == 0 else {
            throw Self.unusable("The partial file cannot be truncated")
        }
    }

    /// Writes bytes at an offset.
    func write(_ bytes: [UInt8], at offset: Int64) throws(TransferError) {
        do throws(SystemError) {
            try SystemCalls.write(bytes, to: descriptor, at: offset)
        } catch {
            throw Self.unusable("The partial file cannot be written", error)
        }
    }

    /// Reads at least one byte at an offset, or throws.
    func readSome(at offset: Int64, count: Int) throws(TransferError) -> [UInt8] {
        let bytes = try Self.read(upTo: count, from: descriptor, at: offset, "The partial file")
        guard !bytes.isEmpty else {
            throw TransferError(.fileUnusable, "The partial file was truncated by another program.")
        }
        return bytes
    }

    private static func read(
        upTo count: Int, from file: CInt, at offset: Int64 = 0, _ what: String
    ) throws(TransferError) -> [UInt8] {
        do throws(SystemError) {
            return try SystemCalls.read(upTo: count, from: file, at: offset)
        } catch {
            throw unusable("\(what) cannot be read", error)
        }
    }

    // MARK: The record

    /// Returns the record of the partial file; `nil` if there is no valid record.
    func record() throws(TransferError) -> PartRecord? {
        let file = openat(directory, sidecar, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            throw Self.unusable("The record of the partial file cannot be opened")
        }
        defer { close(file) }
        try Self.check(file, "The record of the partial file")
        let bytes = try Self.read(upTo: PartRecord.limit + 1, from: file, "The record of the partial file")
        return bytes.count > PartRecord.limit ? nil : PartRecord(bytes)
    }

    /// Replaces the record atomically; `nil` removes it.
    func save(_ record: PartRecord?) throws(TransferError) {
        guard let record else {
            unlinkat(directory, newSidecar, 0)
            if unlinkat(directory, sidecar, 0) == 0 {
                // The following bytes belong to another file. After a power loss, the old record must not exist next to
                // them.
                try flushFolder()
            } else if errno != ENOENT {
                throw Self.unusable("The record of the partial file cannot be removed")
            }
            return
        }
        // The lock on the partial file excludes other downloads.
        do throws(DurableFile.Failure) {
            try DurableFile.replace(
                sidecar, temporary: newSidecar, in: directory, flushesFolder: false, with: record.bytes)
        } catch {
            let what = error.step == .create ? "created" : "written"
            throw Self.unusable("The record of the partial file cannot be \(what)", error.error)
        }
    }

    // MARK: The end

    /// Flushes the partial file and renames it to the destination.
    ///
    /// - Parameter replaces: Whether an existing file is replaced. Otherwise it is left alone, and the error is
    ///   `destinationExists`.
    func finish(replaces: Bool) throws(TransferError) {
        guard fsync(descriptor) == 0 else { throw Self.unusable("The file cannot be flushed") }
        // `renameat` renames the file that currently has the name, which may differ from the verified file.
        guard Self.isNamed(descriptor, part, in: directory) else {
            throw TransferError(.fileUnusable, "The partial file was removed or replaced by another program.")
        }
        do throws(SystemError) {
            if replaces {
                guard renameat(directory, part, directory, name) == 0 else { throw .last }
            } else {
                try DurableFile.publish(part, as: name, in: directory)
            }
        } catch {
            guard replaces || error.number != EEXIST else { throw Self.destinationExists }
            throw Self.unusable("The file cannot be renamed to the destination", error)
        }
        // A record without a partial file is ignored, so a crash here is harmless.
        unlinkat(directory, sidecar, 0)
        try flushFolder()
    }

    /// The error for a file at the destination that must not be replaced.
    static let destinationExists = TransferError(
        .destinationExists, "A file with the name of the destination exists, and the options do not replace it.")

    /// Removes the partial file and its record, unless they now belong to another download.
    func discard() {
        guard Self.isNamed(descriptor, part, in: directory) else { return }
        unlinkat(directory, sidecar, 0)
        unlinkat(directory, newSidecar, 0)
        unlinkat(directory, part, 0)
    }

    /// Unlocks the partial file. Otherwise other downloads might wait until a thread releases this object.
    func unlock() {
        _ = flock(descriptor, LOCK_UN)
    }

    private func flushFolder() throws(TransferError) {
        // EINVAL means that the file system does not support flushing folders.
        guard fsync(directory) == 0 || errno == EINVAL else { throw Self.unusable("The folder cannot be flushed") }
    }

    // MARK: Opening

    private static func open(_ part: String, in directory: CInt) throws(TransferError) -> CInt {
        // Another download may rename the partial file between opening and locking it.
        for _ in 0..<3 {
            let flags = O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
            var file = openat(directory, part, flags | O_CREAT | O_EXCL, mode_t(0o600))
            if file < 0, errno == EEXIST { file = openat(directory, part, flags) }
            if file < 0, errno == ENOENT { continue }
            guard file >= 0 else { throw unusable("The partial file cannot be opened") }
            do throws(TransferError) {
                try check(file, "The partial file")
                guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
                    guard errno == EWOULDBLOCK else { throw unusable("The partial file cannot be locked") }
                    throw TransferError(.alreadyUnderway, "Another download to the same destination is in progress.")
                }
            } catch {
                close(file)
                throw error
            }
            if isNamed(file, part, in: directory) { return file }
            close(file)
        }
        throw TransferError(
            .alreadyUnderway, "Other downloads to the same destination keep replacing the partial file.")
    }

    /// Removes the name of a partial file that is also the destination. A crash during ``finish(replaces:)`` leaves it.
    private static func removePublishedPart(of name: String, in directory: CInt) {
        let part = Self.name(of: name)
        var (first, second) = (stat(), stat())
        guard fstatat(directory, part, &first, AT_SYMLINK_NOFOLLOW) == 0,
            fstatat(directory, name, &second, AT_SYMLINK_NOFOLLOW) == 0,
            first.st_ino == second.st_ino, first.st_dev == second.st_dev
        else { return }
        unlinkat(directory, part, 0)
    }

    /// Returns whether an open file is the one with the given name.
    private static func isNamed(_ file: CInt, _ name: String, in directory: CInt) -> Bool {
        var (opened, named) = (stat(), stat())
        return fstat(file, &opened) == 0 && fstatat(directory, name, &named, AT_SYMLINK_NOFOLLOW) == 0
            && opened.st_ino == named.st_ino && opened.st_dev == named.st_dev
    }

    private static func check(_ file: CInt, _ what: String) throws(TransferError) {
        var status = stat()
        guard fstat(file, &status) == 0 else { throw unusable("\(what) cannot be examined") }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw TransferError(.fileUnusable, "\(what) is not a regular file.")
        }
        guard status.st_uid == geteuid(), status.st_mode & 0o077 == 0, status.st_nlink == 1 else {
            throw TransferError(
                .fileUnusable, "\(what) is not private (required: own user, mode 0600, a single link).")
        }
    }

    /// Returns an error with the system's description of `error`.
    private static func unusable(_ what: String, _ error: SystemError = .last) -> TransferError {
        TransferError(.fileUnusable, "\(what): \(error).")
    }
}
