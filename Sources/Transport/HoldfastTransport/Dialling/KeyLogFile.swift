import HoldfastSystem
import Synchronization

/// A file to which the secrets of connections are appended, line by line.
final class KeyLogFile: Sendable {
    private let descriptor: Mutex<Int32>

    /// Opens the file, or makes it for its owner alone. No symbolic link is followed, and what is no regular file is refused; so is a
    /// file that belongs to another user, that others may read or write, or that has a second name: the secrets must not
    /// end up where someone else has pointed them, or can read them.
    init(path: String) throws(TransportError) {
        let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0o600)
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            if descriptor >= 0 { close(descriptor) }
            throw Self.unusable("cannot be written")
        }
        guard status.st_uid == geteuid(), status.st_mode & 0o077 == 0, status.st_nlink == 1 else {
            close(descriptor)
            throw Self.unusable("is not its owner's alone (owner, mode 0600, one name)")
        }
        self.descriptor = Mutex(descriptor)
    }

    private static func unusable(_ reason: String) -> TransportError {
        TransportError(
            .invalidConfiguration, in: .preparing, "The file for the secrets of connections \(reason).")
    }

    deinit {
        _ = descriptor.withLock { close($0) }
    }

    /// Appends a line, in one call so that other writers do not come between. A disk that is full loses lines, and nothing else.
    func append(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        descriptor.withLock { _ = write($0, bytes, bytes.count) }
    }
}
