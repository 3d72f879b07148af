#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// What tells one state of a file from another without reading it.
struct FileStamp: Hashable, Sendable, Codable {
    var size: Int64
    /// When the file was last written: seconds since 1970, and nanoseconds.
    var seconds: Int64
    var nanoseconds: Int64

    init(_ status: stat) {
        size = Int64(status.st_size)
        #if canImport(Darwin)
        seconds = Int64(status.st_mtimespec.tv_sec)
        nanoseconds = Int64(status.st_mtimespec.tv_nsec)
        #else
        seconds = Int64(status.st_mtim.tv_sec)
        nanoseconds = Int64(status.st_mtim.tv_nsec)
        #endif
    }
}
