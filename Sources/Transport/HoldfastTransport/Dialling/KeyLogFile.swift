import HoldfastSystem
import Synchronization

/// A file to which TLS secrets are appended, line by line.
final class KeyLogFile: Sendable {
    private let descriptor: Mutex<Int32>

    /// Opens the file, or creates it with mode 0600.
    ///
    /// Throws `invalidConfiguration` if the file is not a regular file, belongs to another user, is accessible to
    /// others, or has a second link. Symbolic links are not followed. Otherwise another user could redirect or read the
    /// secrets.
    init(path: String) throws(TransportError) {
        let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0o600)
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            if descriptor >= 0 { close(descriptor) }
            throw Self.unusable("cannot be written")
        }
        guard status.st_uid == geteuid(), status.st_mode & 0o077 == 0, status.st_nlink == 1 else {
            close(descriptor)
            throw Self.unusable("is not private (required: own user, mode 0600, a single link)")
        }
        self.descriptor = Mutex(descriptor)
    }

    private static func unusable(_ reason: String) -> TransportError {
        TransportError(
            .invalidConfiguration, in: .preparing, "The TLS key log file \(reason).")
    }

    deinit {
        _ = descriptor.withLock { close($0) }
    }

    /// Appends a line in a single call, so that lines of several writers do not mix. If the disk is full, only lines
    /// are lost.
    func append(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        descriptor.withLock { _ = write($0, bytes, bytes.count) }
    }
}
