import HoldfastSystem

/// Files that only their owner can read and write, whatever the umask.
enum PrivateFile {
    private static let mode: mode_t = 0o600

    /// Creates an empty file unless one exists. Ignores errors, because opening the file reports them.
    static func create(_ path: String) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        // An existing file is restricted later, once it is known to belong to the server.
        if descriptor >= 0 { _ = close(descriptor) }
    }

    /// Restricts a file to its owner. Ignores a missing file.
    ///
    /// Returns the system's error number if the system refuses.
    static func restrict(_ path: String) -> Int32? {
        guard chmod(path, mode) != 0, errno != ENOENT else { return nil }
        return errno
    }
}
