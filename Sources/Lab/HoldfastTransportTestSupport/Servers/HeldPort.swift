import HoldfastSystem
import NIOCore
import Synchronization

/// A port on 127.0.0.1 that belongs to a bound socket, which does not listen.
///
/// Until it is freed, no socket that asks for a free port gets this number, neither for a server nor as the local port
/// of a connection.
package final class HeldPort: Sendable {
    /// Who may listen on the port meanwhile.
    package enum Tenant: Sendable {
        /// Nobody: every connection is refused.
        case nobody
        /// A program that needs a fixed port and sets `SO_REUSEADDR`, as servers do. Only Linux allows this. Elsewhere,
        /// the port was free a moment ago and is not held.
        case program
    }

    /// The number of the port.
    package let number: UInt16
    private let descriptor: Mutex<CInt?>

    /// Binds a socket.
    ///
    /// - Throws: ``PeerMissing`` if no socket can be bound.
    package init(for tenant: Tenant) throws {
        let opened = socket(AF_INET, SystemCalls.streamSocket, 0)
        guard opened >= 0 else { throw PeerMissing() }
        // A program that another test starts must not inherit the socket, and hold the port for its lifetime.
        _ = fcntl(opened, F_SETFD, FD_CLOEXEC)
        guard let number = Self.bound(opened, for: tenant) else {
            _ = close(opened)
            throw PeerMissing()
        }
        self.number = number
        descriptor = Mutex(opened)
        #if !os(Linux)
        if tenant == .program { free() }
        #endif
    }

    deinit { free() }

    /// Frees the port. Later calls have no effect.
    package func free() {
        let held = descriptor.withLock { descriptor in
            defer { descriptor = nil }
            return descriptor
        }
        if let held { _ = close(held) }
    }

    /// Binds the socket to a free port, and returns the port; `nil` if this fails.
    private static func bound(_ descriptor: CInt, for tenant: Tenant) -> UInt16? {
        var isShared: CInt = tenant == .program ? 1 : 0
        let length = socklen_t(MemoryLayout<CInt>.size)
        guard setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isShared, length) == 0,
            let any = try? SocketAddress(ipAddress: "127.0.0.1", port: 0),
            any.withSockAddr({ bind(descriptor, $0, socklen_t($1)) }) == 0
        else { return nil }
        // The first fields of `sockaddr_in`: two bytes for the family, and the port, big-endian.
        var address = [UInt8](repeating: 0, count: 16)
        var size = socklen_t(address.count)
        let named = address.withUnsafeMutableBytes { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) { getsockname(descriptor, $0.baseAddress, &size) }
        }
        return named == 0 ? UInt16(address[2]) << 8 | UInt16(address[3]) : nil
    }
}
