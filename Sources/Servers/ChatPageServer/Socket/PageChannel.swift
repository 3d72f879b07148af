import HoldfastWebSocket
import HummingbirdCore
import Logging
import NIOCore
import NIOSSL
import ServerKit

/// A child channel that serves everything on one port: TLS if there is an identity, then WebSocket or HTTP, depending
/// on the first request.
struct PageChannel: ServerChildChannel {
    struct Value: ServerChildChannelValue {
        let connection: AcceptedConnection<WebSocketServerOutcome<HTTP1Channel.Value>>
        var channel: any Channel { connection.channel }
    }

    let http: HTTP1Channel
    let tls: NIOSSLContext?
    let gate: PageSocketGate
    let upgrader: WebSocketUpgrader
    let house: SessionHouse
    /// The maximum number of bytes that an HTTP client may send before it is answered.
    let receiveLimit: Int
    /// The time limit from a connection's beginning, or from the last bytes of an answer, to the next ones.
    let exchangeTime: TimeAmount
    /// The size of the send buffer in bytes; `nil` for the system's default.
    let sendBuffer: Int?

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            if let sendBuffer {
                try channel.syncOptions?.setOption(.socketOption(.so_sndbuf), value: SocketOptionValue(sendBuffer))
            }
            if let tls { try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls)) }
            let outcome = try upgrader.configure(channel) { setUpHTTP(on: $0, logger: logger) }
            return Value(connection: AcceptedConnection(channel, outcome: outcome))
        }
    }

    private func setUpHTTP(on channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        do {
            try channel.pipeline.syncOperations.addHandler(
                ReceiveBudgetHandler(time: exchangeTime) { [receiveLimit] in receiveLimit })
        } catch {
            return channel.eventLoop.makeFailedFuture(error)
        }
        return http.setup(channel: channel, logger: logger)
    }

    func handle(value: Value, logger: Logger) async {
        do {
            switch try await value.connection.handled() {
            case .http(let channel):
                await http.handle(value: channel, logger: logger)
            case .webSocket(let connection, let request):
                // Hummingbird allows half-closed connections, which a WebSocket does not use.
                try await value.channel.setOption(.allowRemoteHalfClosure, value: false).get()
                guard let (browser, place) = gate.admitted(request) else {
                    return await connection.close(.policyViolation)
                }
                await PageSocket(connection: connection, house: house, browser: browser, place: place).run()
            case .ended:
                break
            }
        } catch {
            logger.debug("A connection could not be set up", metadata: ["error": "\(error)"])
        }
    }
}
