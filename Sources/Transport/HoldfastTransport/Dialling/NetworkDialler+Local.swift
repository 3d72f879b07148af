import HoldfastTrust
import NIOCore

/// Connections whose address comes from a certificate or a message: they may not lead to this machine or its local networks.
extension NetworkDialler {
    /// Before anything is opened: refuses hosts that are local by their address or reserved name.
    func refuseLocalHost(_ target: DialTarget, address: String) throws(TransportError) {
        guard configuration.refusesLocalAddresses, address == target.host.text, target.host.isLocal else { return }
        throw Self.localRefused("\(target.host) is", in: .preparing)
    }

    /// On the event loop: checks the address that a name led to, before a byte is sent. A proxy resolves names itself. The
    /// address of the proxy, and an address that replaces the host's, are the app's choice.
    ///
    /// The connected socket is checked instead of the resolver's answer, so that no second look-up can differ from it.
    func refuseLocalPeer(
        _ channel: any Channel, of target: DialTarget, over route: Route, address: String
    ) throws(TransportError) {
        guard configuration.refusesLocalAddresses, route.proxy == nil, address == target.host.text else { return }
        let peer = channel.remoteAddress?.ipAddress.flatMap { try? CanonicalHost($0) }
        // An address that cannot be read is refused as well.
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
