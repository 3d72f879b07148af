import HoldfastSystem

/// A path that the system cannot open, even for root, although its metadata is valid. It simulates a disk that fails
/// for a while.
public enum UnreadableFile {
    /// Creates a socket at the path. Throws a ``SystemError``.
    public static func make(at path: String) throws {
        // The path of a socket must be short, but that of a temporary folder may be long. The socket is then created
        // elsewhere and moved.
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

    /// Binds a socket to `path`, which must fit into the address.
    private static func bind(_ address: inout sockaddr_un, at path: String) throws {
        let descriptor = socket(AF_UNIX, SystemCalls.streamSocket, 0)
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

    /// Whether the socket still exists.
    public static func isThere(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
    }

    /// An error of the operating system.
    public struct SystemError: Error {
        /// The value of `errno`.
        public let number: Int32
    }
}

// The C function under a different name, because the method above shadows it.
private func systemBind(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> Int32 {
    bind(descriptor, address, length)
}
