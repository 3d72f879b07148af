package import HTTPTypes
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

extension HTTPRequest {
    /// Whether the request names this machine and shows no sign of a proxy.
    ///
    /// A web page in a browser on this machine also connects from loopback, under its own host name that resolves to a
    /// loopback address (DNS rebinding). Its `Host` field reveals that. Remote clients behind a local reverse proxy
    /// connect from loopback, too, and not every proxy is visible: nginx with only `proxy_pass` sends `Host:
    /// 127.0.0.1:PORT` and no proxy fields. Check the peer's address as well: ``PeerAddress/isLoopback``.
    package var namesThisMachine: Bool {
        guard let authority, !HostField.isRepeated(among: headerFields.lazy.map(\.name.rawName)) else { return false }
        return HostField(authority)?.host.isLoopback == true && !Self.forwarding.contains { headerFields.contains($0) }
    }

    private static let forwarding = ["Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "Via"]
        .compactMap { HTTPField.Name($0) }
}
