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

/// Connections to addresses from a certificate or a message. They must not lead to this machine or to local networks.
extension NetworkDialler {
    /// Refuses hosts that are local by their address or a reserved name, before a socket is opened.
    func refuseLocalHost(_ target: DialTarget, address: String) throws(TransportError) {
        guard configuration.refusesLocalAddresses, address == target.host.text, target.host.isLocal else { return }
        throw Self.localRefused("\(target.host) is", in: .preparing)
    }

    /// Checks the connected address before any byte is sent. Must be called on the event loop.
    ///
    /// The check is skipped behind a proxy, which resolves names itself, and for an address from a host override,
    /// because both are the app's choice. The connected socket is checked instead of the resolver's response, because a
    /// second lookup could return a different address.
    func refuseLocalPeer(
        _ channel: any Channel, of target: DialTarget, over route: Route, address: String
    ) throws(TransportError) {
        guard configuration.refusesLocalAddresses, route.proxy == nil, address == target.host.text else { return }
        let peer = channel.remoteAddress?.ipAddress.flatMap { try? CanonicalHost($0) }
        // An address that cannot be parsed is refused too.
        guard peer?.isLocal != false else { return }
        let found = peer?.text ?? "an unknown address"
        throw Self.localRefused("\(target.host) leads to \(found), which is", in: .connecting)
    }

    private static func localRefused(_ subject: String, in phase: TransportError.Phase) -> TransportError {
        TransportError(
            .localAddressRefused, in: phase,
            "\(subject) on this machine or a local network, which is not allowed for this request.")
    }
}

/// The addresses to connect to in place of hosts, by canonical host.
struct HostOverrides: Sendable {
    private var addresses: [CanonicalHost: String] = [:]
    private var invalid: TransportError?

    /// Parses a table. An invalid table makes every lookup throw, so that a configuration error is noticed.
    init(_ table: [String: String]) {
        for (spelling, address) in table {
            do throws(HostError) {
                let host = try CanonicalHost(spelling)
                let target = try CanonicalHost(address).text
                if let other = addresses[host], other != target {
                    invalid = Self.error("the table has two addresses for \(host)")
                }
                addresses[host] = target
            } catch {
                invalid = Self.error(error.reason)
            }
        }
    }

    /// Returns the address to connect to for a host: an override, or the host itself.
    func address(for host: CanonicalHost) throws(TransportError) -> String {
        if let invalid { throw invalid }
        return addresses[host] ?? host.text
    }

    private static func error(_ reason: String) -> TransportError {
        TransportError(.invalidURL, in: .preparing, "The host overrides cannot be used: \(reason)")
    }
}
