import HoldfastTrust
import NIOCore

/// Connections whose address comes from a certificate: they may not lead to this machine or its local networks.
extension NetworkDialler {
    /// Before anything is opened: refuses hosts that are local by their address or reserved name.
    func refuseLocalHost(_ target: DialTarget) throws(TransportError) {
        guard configuration.refusesLocalAddresses, target.host.isLocal else { return }
        throw Self.localRefused(target, in: .preparing)
    }

    /// On the event loop: looks at the address that a name led to, before a byte is sent. A proxy resolves names itself, and
    /// its own address is the app's choice.
    func refuseLocalPeer(_ channel: any Channel, of target: DialTarget, over route: Route) throws(TransportError) {
        guard configuration.refusesLocalAddresses, route.proxy == nil else { return }
        let peer = channel.remoteAddress?.ipAddress.flatMap { try? CanonicalHost($0) }
        // An address that cannot be read is refused as well.
        if peer?.isLocal != false { throw Self.localRefused(target, in: .connecting) }
    }

    private static func localRefused(_ target: DialTarget, in phase: TransportError.Phase) -> TransportError {
        TransportError(
            .localAddressRefused, in: phase,
            "\(target.host) is on this machine or a local network, which is not allowed for this request.")
    }
}
