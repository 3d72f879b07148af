#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Something that the system does not open, for root neither, and says nothing bad about: it stands for a disk that fails for a while.
public enum UnreadableFile {
    /// Puts a socket in a file's place. Throws the system's error number; the path may have a hundred bytes.
    public static func make(at path: String) throws {
        #if canImport(Glibc)
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        #else
        let descriptor = socket(AF_UNIX, SOCK_STREAM, 0)
        #endif
        guard descriptor >= 0 else { throw SystemError(number: errno) }
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let isTooLong = withUnsafeMutableBytes(of: &address.sun_path) { place in
            guard path.utf8.count < place.count else { return true }
            place.copyBytes(from: path.utf8)
            return false
        }
        if isTooLong { throw SystemError(number: ENAMETOOLONG) }
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else { throw SystemError(number: errno) }
        guard chmod(path, 0o600) == 0 else { throw SystemError(number: errno) }
    }

    /// Whether it is still there.
    public static func isThere(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
    }

    /// The system said no.
    public struct SystemError: Error {
        /// The number that it gave.
        public let number: Int32
    }
}
