import HoldfastTrust
package import NIOCore

/// The peer of a connection, for limits and access control. Addresses are never stored or logged.
package struct PeerAddress: Hashable, Sendable {
    /// The key for limits: an IPv4 address, or the first 64 bits of an IPv6 address, because a host can use all
    /// addresses of such a network.
    package let key: [UInt8]
    /// Whether the peer is this machine.
    package let isLoopback: Bool

    /// Creates a peer from a socket's address. All addresses that are not IP addresses share one key and are not local.
    package init(_ address: SocketAddress?) {
        self.init(address?.ipAddress)
    }

    package init(_ text: String?) {
        // A link-local address has its interface after a percent sign.
        let literal = text.map { String($0.prefix { $0 != "%" }) }
        guard let literal, let host = try? CanonicalHost(literal) else {
            key = []
            isLoopback = false
            return
        }
        switch host.kind {
        case .ipv4(let bytes): key = bytes
        case .ipv6(let bytes): key = Array(bytes.prefix(8))
        case .name: key = []
        }
        isLoopback = host.isIPLiteral && host.isLoopback
    }
}
