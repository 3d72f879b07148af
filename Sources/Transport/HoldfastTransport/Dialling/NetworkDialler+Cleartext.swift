import HoldfastTrust
import NIOCore

/// Connections without TLS, and loopback names. They stay on this machine, whatever a resolver responds.
extension NetworkDialler {
    private func staysLocal(_ target: DialTarget) -> Bool {
        !target.isSecure && !configuration.dangerouslyAllowsCleartext
    }

    /// Refuses a connection without TLS to another machine. The host decides, not the address; and an override must not
    /// lead from loopback to another machine.
    func refuseCleartext(_ target: DialTarget, address: String) throws(TransportError) {
        guard staysLocal(target) else { return }
        let isLocal = target.host.isLoopback && (try? CanonicalHost(address))?.isLoopback == true
        if !isLocal { throw Self.cleartextRefused(target, in: .preparing) }
    }

    /// Opens the socket.
    ///
    /// `localhost` and its subdomains are never resolved, because RFC 6761, 6.3 reserves them for the loopback
    /// addresses. A forged DNS response could redirect them, and a machine without a hosts file might not resolve them.
    func open(
        _ route: Route, for target: DialTarget, timeout: Duration, on loop: any EventLoop,
        noting: @escaping @Sendable (any Channel) -> Void
    ) -> EventLoopFuture<any Channel> {
        let connector = self.connector
        let port = route.port
        guard let host = try? CanonicalHost(route.host), host.isLoopback, !host.isIPLiteral else {
            return connector.connect(host: route.host, port: port, timeout: timeout, on: loop, noting: noting)
        }
        return connector.connect(host: "127.0.0.1", port: port, timeout: timeout, on: loop, noting: noting)
            .flatMapError { first in
                if case ChannelError.connectTimeout = first { return loop.makeFailedFuture(first) }
                return connector.connect(host: "::1", port: port, timeout: timeout, on: loop, noting: noting)
                    // Some machines have no IPv6 loopback address. The error of the IPv4 address is more informative.
                    .flatMapErrorThrowing { _ in throw first }
            }
    }

    /// Checks the actual peer of a connection without TLS, by its address and not by a name. Must be called on the
    /// event loop.
    func refuseRemotePeer(_ channel: any Channel, of target: DialTarget) throws(TransportError) {
        guard staysLocal(target), channel.isActive else { return }
        let peer = channel.remoteAddress?.ipAddress.flatMap { try? CanonicalHost($0) }
        if peer?.isLoopback != true { throw Self.cleartextRefused(target, in: .connecting) }
    }

    private static func cleartextRefused(_ target: DialTarget, in phase: TransportError.Phase) -> TransportError {
        TransportError(
            .cleartextRefused, in: phase,
            "\(target.host) is not on this machine; connections to it require TLS.")
    }
}
