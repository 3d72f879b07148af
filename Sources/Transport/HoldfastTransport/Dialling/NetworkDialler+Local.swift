import HoldfastTrust
import NIOCore

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
