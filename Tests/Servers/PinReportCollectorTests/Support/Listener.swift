#if os(Linux)
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A listening socket of this process.
enum Listener {
    /// Shuts down the listening socket on 127.0.0.1 at this port, like a failing network stack. Returns whether there
    /// was one.
    static func end(port: Int) -> Bool {
        (Int32(0)..<4_096).contains { file in
            var address = sockaddr_in()
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let isNamed = withUnsafeMutablePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(file, $0, &length) == 0 }
            }
            var isListening: Int32 = 0
            var size = socklen_t(MemoryLayout<Int32>.size)
            guard isNamed, address.sin_family == sa_family_t(AF_INET), Int(UInt16(bigEndian: address.sin_port)) == port,
                getsockopt(file, SOL_SOCKET, SO_ACCEPTCONN, &isListening, &size) == 0, isListening == 1
            else { return false }
            return shutdown(file, Int32(SHUT_RDWR)) == 0
        }
    }
}
#endif
