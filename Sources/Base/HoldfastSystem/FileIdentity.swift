/// The state of a file that changes with each write: compares two states without reading the file.
package struct FileStamp: Hashable, Sendable, Codable {
    package var size: Int64
    /// When the file was last written: seconds since 1970, and nanoseconds.
    package var seconds: Int64
    package var nanoseconds: Int64

    /// Takes the stamp from what the system reports about a file.
    package init(_ status: stat) {
        size = Int64(status.st_size)
        #if canImport(Darwin)
        seconds = Int64(status.st_mtimespec.tv_sec)
        nanoseconds = Int64(status.st_mtimespec.tv_nsec)
        #else
        // To which module the members of `timespec` belong depends on the order of imports in the whole target, and naming them fails
        // under MemberImportVisibility in some builds: so the two words are read where they stand.
        (seconds, nanoseconds) = withUnsafeBytes(of: status.st_mtim) { time in
            (
                Int64(time.loadUnaligned(as: time_t.self)),
                Int64(time.loadUnaligned(fromByteOffset: MemoryLayout<time_t>.stride, as: Int.self))
            )
        }
        #endif
    }
}

/// A file and its state: two different files, or two states of one file, have different identities.
package struct FileIdentity: Hashable, Sendable {
    /// Whether it is a regular file.
    package let isRegularFile: Bool
    /// Whether it is a folder.
    package let isDirectory: Bool
    /// The size and the time of the last write.
    package let stamp: FileStamp
    /// The inode and the device: a file that was replaced by renaming has another one.
    private let number: UInt64
    private let device: UInt64

    /// Looks at a file, symbolic links followed; `nil` if there is none.
    package init?(path: String) {
        var status = stat()
        guard !path.utf8.contains(0), stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Takes the identity from what the system reports about a file.
    package init(_ status: stat) {
        isRegularFile = status.st_mode & S_IFMT == S_IFREG
        isDirectory = status.st_mode & S_IFMT == S_IFDIR
        stamp = FileStamp(status)
        number = UInt64(status.st_ino)
        device = UInt64(truncatingIfNeeded: status.st_dev)
    }
}
