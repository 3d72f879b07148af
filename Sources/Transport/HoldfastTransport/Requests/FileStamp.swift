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
