import HoldfastSystem

/// The part of a download, beside the place where the whole will be, and the record beside the part. Its calls block.
///
/// Both files are made for their owner alone and never through a link; a part that belongs to somebody else, that others
/// may use, or that has a second name is refused: whoever can write to it could put anything into the whole. The part is locked as long as
/// the object lives. After kill -9 what was written is there. After a power loss the part's length may promise more than was flushed:
/// that is what checksums are for; the whole gets its name only when all of it is flushed.
final class PartialFile: Sendable {
    /// Where the whole will be.
    let destination: String
    private let name: String
    private let directory: CInt
    private let descriptor: CInt

    private var part: String { ".\(name).download" }
    private var sidecar: String { ".\(name).download.json" }
    private var newSidecar: String { ".\(name).download.json.new" }

    /// Opens the part for a file, or makes it.
    init(for destination: String) throws(TransferError) {
        let slash = destination.lastIndex(of: "/")
        let name = String(slash.map { destination[destination.index(after: $0)...] } ?? destination[...])
        let folder = slash.map { $0 == destination.startIndex ? "/" : String(destination[..<$0]) } ?? "."
        guard !name.isEmpty, name != ".", name != "..", !destination.utf8.contains(0) else {
            throw TransferError(.fileUnusable, "The place for the file has no name.")
        }
        let directory = openat(AT_FDCWD, folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { throw Self.unusable("The folder for the file cannot be opened") }
        do throws(TransferError) {
            descriptor = try Self.open(".\(name).download", in: directory)
        } catch {
            close(directory)
            throw error
        }
        self.destination = destination
        self.name = name
        self.directory = directory
    }

    deinit {
        close(descriptor)
        close(directory)
    }

    // MARK: The part

    /// How many bytes there are.
    func size() throws(TransferError) -> Int64 {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Self.unusable("The part cannot be looked at") }
        return Int64(status.st_size)
    }

    /// Cuts the part off, and flushes that: after a power loss the record of another file must not vouch for bytes that were cut off.
    func truncate(to size: Int64) throws(TransferError) {
        guard try self.size() != size else { return }
        guard ftruncate(descriptor, off_t(size)) == 0, fsync(descriptor) == 0 else {
            throw Self.unusable("The part cannot be cut off")
        }
    }

    /// Writes bytes at a place.
    func write(_ bytes: [UInt8], at offset: Int64) throws(TransferError) {
        do throws(SystemError) {
            try SystemCalls.write(bytes, to: descriptor, at: offset)
        } catch {
            throw Self.unusable("The part cannot be written", error)
        }
    }

    /// Reads bytes at a place: at least one, or it fails.
    func readSome(at offset: Int64, count: Int) throws(TransferError) -> [UInt8] {
        let bytes = try Self.read(upTo: count, from: descriptor, at: offset, "The part")
        guard !bytes.isEmpty else { throw TransferError(.fileUnusable, "The part has become shorter.") }
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

    /// What is known about the part; `nil` where there is nothing that can be used.
    func record() throws(TransferError) -> PartRecord? {
        let file = openat(directory, sidecar, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            throw Self.unusable("The record of the part cannot be opened")
        }
        defer { close(file) }
        try Self.check(file, "The record of the part")
        let bytes = try Self.read(upTo: PartRecord.limit + 1, from: file, "The record of the part")
        return bytes.count > PartRecord.limit ? nil : PartRecord(bytes)
    }

    /// Replaces the record as a whole; `nil` removes it.
    func save(_ record: PartRecord?) throws(TransferError) {
        guard let record else {
            unlinkat(directory, newSidecar, 0)
            if unlinkat(directory, sidecar, 0) == 0 {
                // What follows is another file's: after a power loss the old record must not stand beside it.
                try flushFolder()
            } else if errno != ENOENT {
                throw Self.unusable("The record of the part cannot be removed")
            }
            return
        }
        // The lock on the part keeps others away.
        do throws(DurableFile.Failure) {
            try DurableFile.replace(
                sidecar, temporary: newSidecar, in: directory, flushesFolder: false, with: record.bytes)
        } catch {
            let what = error.step == .create ? "made" : "written"
            throw Self.unusable("The record of the part cannot be \(what)", error.error)
        }
    }

    // MARK: The end

    /// Flushes the part, and gives it the name of the whole in the place of what was there.
    func finish() throws(TransferError) {
        guard fsync(descriptor) == 0 else { throw Self.unusable("The file cannot be flushed") }
        // What would be renamed is what has the name, which need not be what was verified.
        guard Self.isNamed(descriptor, part, in: directory) else {
            throw TransferError(.fileUnusable, "The part was taken away, or another file was put in its place.")
        }
        guard renameat(directory, part, directory, name) == 0 else {
            throw Self.unusable("The file cannot be put in its place")
        }
        // A record without a part means nothing: a crash here does no harm.
        unlinkat(directory, sidecar, 0)
        try flushFolder()
    }

    /// Removes the part and its record, unless they are another download's by now.
    func discard() {
        guard Self.isNamed(descriptor, part, in: directory) else { return }
        unlinkat(directory, sidecar, 0)
        unlinkat(directory, newSidecar, 0)
        unlinkat(directory, part, 0)
    }

    /// Lets other downloads have the place. Without it they might have to wait for a thread that has yet to let go of this object.
    func unlock() {
        _ = flock(descriptor, LOCK_UN)
    }

    private func flushFolder() throws(TransferError) {
        // EINVAL: the file system does not flush folders.
        guard fsync(directory) == 0 || errno == EINVAL else { throw Self.unusable("The folder cannot be flushed") }
    }

    // MARK: Opening

    private static func open(_ part: String, in directory: CInt) throws(TransferError) -> CInt {
        // Another download may put the part in its place between opening and locking it.
        for _ in 0..<3 {
            let flags = O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
            var file = openat(directory, part, flags | O_CREAT | O_EXCL, mode_t(0o600))
            if file < 0, errno == EEXIST { file = openat(directory, part, flags) }
            if file < 0, errno == ENOENT { continue }
            guard file >= 0 else { throw unusable("The part cannot be opened") }
            do throws(TransferError) {
                try check(file, "The part")
                guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
                    guard errno == EWOULDBLOCK else { throw unusable("The part cannot be locked") }
                    throw TransferError(.alreadyUnderway, "Another download to the same place is under way.")
                }
            } catch {
                close(file)
                throw error
            }
            if isNamed(file, part, in: directory) { return file }
            close(file)
        }
        throw TransferError(.alreadyUnderway, "Other downloads to the same place come and go.")
    }

    /// Whether an open file is the one that has a name.
    private static func isNamed(_ file: CInt, _ name: String, in directory: CInt) -> Bool {
        var (opened, named) = (stat(), stat())
        return fstat(file, &opened) == 0 && fstatat(directory, name, &named, AT_SYMLINK_NOFOLLOW) == 0
            && opened.st_ino == named.st_ino && opened.st_dev == named.st_dev
    }

    private static func check(_ file: CInt, _ what: String) throws(TransferError) {
        var status = stat()
        guard fstat(file, &status) == 0 else { throw unusable("\(what) cannot be looked at") }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw TransferError(.fileUnusable, "\(what) is no regular file.")
        }
        guard status.st_uid == geteuid(), status.st_mode & 0o077 == 0, status.st_nlink == 1 else {
            throw TransferError(.fileUnusable, "\(what) is not its owner's alone (owner, mode 0600, one name).")
        }
    }

    /// With the system's own words for what went wrong, which is the last error unless given.
    private static func unusable(_ what: String, _ error: SystemError = .last) -> TransferError {
        TransferError(.fileUnusable, "\(what): \(error).")
    }
}
