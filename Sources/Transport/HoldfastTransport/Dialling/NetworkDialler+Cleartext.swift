import HoldfastTrust
import NIOCore

/// Connections without TLS, and names of the loopback: they stay on this machine, whatever resolvers and addresses say.
extension NetworkDialler {
    private func staysLocal(_ target: DialTarget) -> Bool {
        !target.isSecure && !configuration.dangerouslyAllowsCleartext
    }

    /// The host decides, not the address that is dialled for it; and an override may not lead cleartext off the loopback.
    func refuseCleartext(_ target: DialTarget, address: String) throws(TransportError) {
        guard staysLocal(target) else { return }
        let isLocal = target.host.isLoopback && (try? CanonicalHost(address))?.isLoopback == true
        if !isLocal { throw Self.cleartextRefused(target, in: .preparing) }
    }

    /// Opens the socket.
    ///
    /// `localhost` and the names below it are never looked up: RFC 6761, 6.3 keeps them for the loopback addresses. Whoever answers
    /// in the place of the name server could send them anywhere, and a machine without a hosts file may have no answer at all.
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
                    // Not every machine has the second; what is wrong with the first says more.
                    .flatMapErrorThrowing { _ in throw first }
            }
    }

    /// On the event loop: looks at whom a connection without TLS really leads to. No name decides here.
    func refuseRemotePeer(_ channel: any Channel, of target: DialTarget) throws(TransportError) {
        guard staysLocal(target), channel.isActive else { return }
        let peer = channel.remoteAddress?.ipAddress.flatMap { try? CanonicalHost($0) }
        if peer?.isLoopback != true { throw Self.cleartextRefused(target, in: .connecting) }
    }

    private static func cleartextRefused(_ target: DialTarget, in phase: TransportError.Phase) -> TransportError {
        TransportError(
            .cleartextRefused, in: phase,
            "\(target.host) is not on this machine: a connection without TLS is refused.")
    }
}
