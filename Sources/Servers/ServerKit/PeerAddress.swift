import HoldfastTrust
package import NIOCore

/// Who a connection comes from, for limits and for access. Addresses are never stored or logged.
package struct PeerAddress: Hashable, Sendable {
    /// What limits count by: an IPv4 address, or the first 64 bits of an IPv6 one, since whoever has one address of such a
    /// network has all of them.
    package let key: [UInt8]
    /// Whether it is this machine.
    package let isLoopback: Bool

    /// Takes a socket's address. One that is no IP address has one key with all others of the kind, and is not local.
    package init(_ address: SocketAddress?) {
        self.init(address?.ipAddress)
    }

    package init(_ text: String?) {
        // An address of the link has its interface behind a percent sign.
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
