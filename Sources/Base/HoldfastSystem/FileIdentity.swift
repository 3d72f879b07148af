/// The identity of a file and of its contents. Two files, or two states of one file, have different identities.
package struct FileIdentity: Hashable, Sendable {
    /// Whether it is a regular file.
    package let isRegularFile: Bool
    /// Whether it is a folder.
    package let isDirectory: Bool
    /// The size and the time of the last write.
    package let stamp: FileStamp
    /// The inode and the device. A file that was replaced by renaming has another inode.
    private let number: UInt64
    private let device: UInt64

    /// Reads the identity of a file. Follows symbolic links. Returns `nil` if the file does not exist.
    package init?(path: String) {
        var status = stat()
        guard !path.utf8.contains(0), stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Creates an identity from the result of `stat`.
    package init(_ status: stat) {
        isRegularFile = status.st_mode & S_IFMT == S_IFREG
        isDirectory = status.st_mode & S_IFMT == S_IFDIR
        stamp = FileStamp(status)
        number = UInt64(status.st_ino)
        device = UInt64(truncatingIfNeeded: status.st_dev)
    }
}

/// The size and modification time of a file. Detects a changed file without reading it.
package struct FileStamp: Hashable, Sendable, Codable {
    package var size: Int64
    /// The time of the last write: seconds since 1970, and nanoseconds.
    package var seconds: Int64
    package var nanoseconds: Int64

    /// Creates a stamp from the result of `stat`.
    package init(_ status: stat) {
        size = Int64(status.st_size)
        #if canImport(Darwin)
        seconds = Int64(status.st_mtimespec.tv_sec)
        nanoseconds = Int64(status.st_mtimespec.tv_nsec)
        #else
        // The module of the members of `timespec` depends on the order of imports in the whole target. Under
        // MemberImportVisibility some builds fail if the code names the members. Therefore the two words are read from
        // memory.
        (seconds, nanoseconds) = withUnsafeBytes(of: status.st_mtim) { time in
            (
                Int64(time.loadUnaligned(as: time_t.self)),
                Int64(time.loadUnaligned(fromByteOffset: MemoryLayout<time_t>.stride, as: Int.self))
            )
        }
        #endif
    }
}
