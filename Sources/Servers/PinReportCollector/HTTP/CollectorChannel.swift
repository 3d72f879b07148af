import HummingbirdCore
import Logging
import NIOCore
import NIOSSL
import ServerKit
import Synchronization

/// An accepted connection: limits, TLS if configured, HTTP/1.1.
struct CollectorChannel: ServerChildChannel {
    /// A connection, or `nil` if its peer has too many.
    struct Value: ServerChildChannelValue {
        let channel: any Channel
        let connection: AcceptedConnection<HTTP1Channel.Value>?
        let peer: PeerAddress
    }

    let http: HTTP1Channel
    let tls: ReportCollectorTLS?
    let peers: PeerCounter
    let limits: ReportCollectorLimits

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        let peer = PeerAddress(channel.remoteAddress)
        guard peers.enter(peer) else {
            channel.close(promise: nil)
            return channel.eventLoop.makeSucceededFuture(Value(channel: channel, connection: nil, peer: peer))
        }
        channel.closeFuture.whenComplete { _ in peers.leave(peer) }
        do {
            let pipeline = channel.pipeline.syncOperations
            if let tls { try pipeline.addHandler(NIOSSLServerHandler(context: tls.context)) }
            // Placed above TLS, so that an unfinished handshake is also cut off.
            let bytes = 2 * (limits.bodyBytes + limits.headerBytes)
            try pipeline.addHandler(ReceiveBudgetHandler(time: TimeAmount(limits.exchangeTime)) { bytes })
        } catch {
            return channel.eventLoop.makeFailedFuture(error)
        }
        let outcome = http.setup(channel: channel, logger: logger)
        let connection = AcceptedConnection(channel, outcome: outcome)
        return outcome.map { _ in Value(channel: channel, connection: connection, peer: peer) }
    }

    func handle(value: Value, logger: Logger) async {
        // The setup has ended before, and has not failed.
        guard let channel = try? await value.connection?.handled() else { return }
        await http.handle(value: channel, logger: logger)
    }
}

/// Counts the open connections of each peer.
final class PeerCounter: Sendable {
    private let counts = Mutex<[PeerAddress: Int]>([:])
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    /// Counts a connection. Returns `false` if the peer has reached its limit.
    func enter(_ peer: PeerAddress) -> Bool {
        counts.withLock { counts in
            let count = counts[peer, default: 0]
            guard count < limit else { return false }
            counts[peer] = count + 1
            return true
        }
    }

    /// Removes a counted connection.
    func leave(_ peer: PeerAddress) {
        counts.withLock { counts in
            let count = counts[peer, default: 0]
            counts[peer] = count > 1 ? count - 1 : nil
        }
    }
}
