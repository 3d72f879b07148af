import Foundation
import NIOCore

/// The state that all connections of a ``Relay`` share. Used on the relay's event loop only.
final class RelayHub {
    /// A planned cut.
    private struct Cut {
        /// The bytes from clients until the cut.
        var remaining: Int
        /// Whether the cut may happen. Otherwise the relay stops reading from clients when the bytes have passed.
        var isReleased: Bool
    }

    let network: NetworkProfile
    let up: NetworkLink
    let down: NetworkLink
    let traffic = Traffic()
    let chargesConnections: Bool
    private var cut: Cut?
    private var connections: [ObjectIdentifier: RelayConnection] = [:]

    init(_ network: NetworkProfile, chargesConnections: Bool, on loop: any EventLoop) {
        self.network = network
        self.chargesConnections = chargesConnections
        up = NetworkLink(network, on: loop)
        down = NetworkLink(network, on: loop)
    }

    var delay: TimeAmount { TimeAmount(network.roundTrip / 2) }

    /// Whether clients may send more: a cut is not overdue.
    var isOpenUpwards: Bool { (cut?.remaining ?? 1) > 0 }

    func opened(_ connection: RelayConnection) {
        traffic.opened()
        connections[ObjectIdentifier(connection)] = connection
    }

    func closed(_ connection: RelayConnection) {
        connections[ObjectIdentifier(connection)] = nil
    }

    /// Resets all connections at both ends. Returns their number.
    func cutAll() -> Int {
        let open = connections.values
        connections = [:]
        for connection in open { connection.reset() }
        return open.count
    }

    /// Plans a cut after a number of bytes from clients.
    func planCut(after bytes: Int, isReleased: Bool) {
        cut = Cut(remaining: bytes, isReleased: isReleased)
    }

    /// Permits a planned cut. It happens at once if its bytes have passed.
    func releaseCut() {
        cut?.isReleased = true
        cutIfDue()
    }

    /// Counts bytes that have arrived at the server.
    func delivered(_ bytes: Int) {
        guard cut != nil else { return }
        cut?.remaining -= bytes
        cutIfDue()
    }

    private func cutIfDue() {
        guard let planned = cut, planned.isReleased, planned.remaining <= 0 else { return }
        cut = nil
        _ = cutAll()
    }
}

/// Both channels of a connection through a ``Relay``.
final class RelayConnection {
    private let hub: RelayHub
    private let client: any Channel
    private let server: any Channel
    /// The earliest time at which bytes are forwarded.
    let opensAt: NIODeadline
    private(set) var isReset = false

    init(_ hub: RelayHub, client: any Channel, server: any Channel, opensAt: NIODeadline) {
        self.hub = hub
        self.client = client
        self.server = server
        self.opensAt = opensAt
    }

    func closed() { hub.closed(self) }

    /// Closes both channels with a TCP reset.
    func reset() {
        isReset = true
        for channel in [client, server] {
            _ = (channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
            channel.close(promise: nil)
        }
    }
}
