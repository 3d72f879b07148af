import HoldfastSystem
import NIOCore

/// A port on 127.0.0.1 that refuses every connection.
///
/// The port of a server that has stopped does not: another test's server may get the same number in the meantime. This
/// port belongs to a socket that is bound and does not listen, so nothing else in the machine can get it.
package enum RefusingPort {
    /// Runs `body` with the port, and frees it afterwards.
    ///
    /// - Throws: `PeerMissing` if no socket can be bound, and what `body` throws.
    package static func with<Value>(
        isolation: isolated (any Actor)? = #isolation, _ body: (UInt16) async throws -> Value
    ) async throws -> Value {
        #if canImport(Glibc)
        let stream = CInt(SOCK_STREAM.rawValue)
        #else
        let stream = SOCK_STREAM
        #endif
        let descriptor = socket(AF_INET, stream, 0)
        guard descriptor >= 0 else { throw PeerMissing() }
        defer { _ = close(descriptor) }
        return try await body(try bound(descriptor))
    }

    /// Binds the socket to a free port, and returns the port.
    private static func bound(_ descriptor: CInt) throws -> UInt16 {
        let any = try SocketAddress(ipAddress: "127.0.0.1", port: 0)
        let result = any.withSockAddr { bind(descriptor, $0, socklen_t($1)) }
        // Bytes instead of `sockaddr_in`, whose members belong to another module in each build. The port is in network
        // byte order after the family, on Linux and macOS.
        var address = [UInt8](repeating: 0, count: 128)
        var length = socklen_t(address.count)
        let named = address.withUnsafeMutableBytes { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) { getsockname(descriptor, $0.baseAddress, &length) }
        }
        guard result == 0, named == 0 else { throw PeerMissing() }
        return UInt16(address[2]) << 8 | UInt16(address[3])
    }
}
