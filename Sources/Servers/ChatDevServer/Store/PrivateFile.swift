#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Files for their owner's eyes alone, whatever the umask.
enum PrivateFile {
    /// Makes an empty file unless there is one. A path where none can be is left to whoever opens it.
    static func create(_ path: String) {
        // SQLite's own words, which are no files.
        guard path != ":memory:", !path.hasPrefix("file:") else { return }
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        // What there is already is closed to others once it is known to be the server's.
        if descriptor >= 0 { _ = close(descriptor) }
    }

    /// Takes a file from the eyes of others than its owner. One that is not there is no matter.
    ///
    /// Throws ``ChatDevServerError/Code/unreadableDatabase`` where the system does not let it.
    static func restrict(_ path: String) throws(ChatDevServerError) {
        guard chmod(path, 0o600) != 0, errno != ENOENT else { return }
        throw ChatDevServerError(
            .unreadableDatabase,
            reason: "The database cannot be closed to others: \(path) cannot be given the mode 0600 (error \(errno)).",
            path: path)
    }
}
