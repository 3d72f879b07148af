#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Who may use a file.
enum FileMode {
    /// Whether the file's mode lets others than its owner read or write it. Links are followed, as reading does.
    static func isOpenToOthers(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & 0o066 != 0
    }
}
