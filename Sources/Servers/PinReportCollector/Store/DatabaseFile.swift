#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The file below a database.
enum DatabaseFile {
    /// Makes it, for its owner alone, where there is none; the log beside it gets the same mode from SQLite. Where that
    /// fails, opening it says why.
    static func create(_ path: String) {
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if file >= 0 { _ = close(file) }
    }
}
