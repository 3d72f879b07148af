import HoldfastSystem

/// Something that the system does not open, for root neither, and says nothing bad about: it stands for a disk that fails for a while.
public enum UnreadableFile {
    /// Puts a socket in a file's place. Throws the system's error number.
    public static func make(at path: String) throws {
        // A socket's name is short, and that of a folder for temporary files is not: then it is made elsewhere, and moved.
        var address = sockaddr_un()
        guard path.utf8.count >= MemoryLayout.size(ofValue: address.sun_path) else {
            return try bind(&address, at: path)
        }
        let elsewhere = "/tmp/holdfast-\(UInt64.random(in: .min ... .max))"
        try bind(&address, at: elsewhere)
        guard rename(elsewhere, path) == 0 else {
            let error = SystemError(number: errno)
            unlink(elsewhere)
            throw error
        }
    }

    /// `path` is short enough.
    private static func bind(_ address: inout sockaddr_un, at path: String) throws {
        #if canImport(Glibc)
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        #else
        let descriptor = socket(AF_UNIX, SOCK_STREAM, 0)
        #endif
        guard descriptor >= 0 else { throw SystemError(number: errno) }
        defer { close(descriptor) }
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                systemBind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
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

// The C function, by a name that the method above does not hide.
private func systemBind(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> Int32 {
    bind(descriptor, address, length)
}
