import ChatServerCore
import HoldfastWebSocket
import HummingbirdCore
import Logging
import NIOCore
import ServerKit

/// A child channel that serves everything on one port: TLS with the current identity, then WebSocket or HTTP, depending
/// on the first request.
struct ChatServerChannel: ServerChildChannel {
    struct Value: ServerChildChannelValue {
        let connection: AcceptedConnection<WebSocketServerOutcome<HTTP1Channel.Value>>
        var channel: any Channel { connection.channel }
    }

    let http: HTTP1Channel
    let identity: CurrentIdentity
    let upgrader: WebSocketUpgrader
    let driver: ChatServerDriver
    /// The maximum number of bytes that an HTTP client may send before it is answered.
    let receiveLimit: @Sendable () -> Int

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            if let tls = identity.makeHandler() { try channel.pipeline.syncOperations.addHandler(tls) }
            let outcome = try upgrader.configure(channel) { setUpHTTP(on: $0, logger: logger) }
            return Value(connection: AcceptedConnection(channel, outcome: outcome))
        }
    }

    private func setUpHTTP(on channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        do {
            try channel.pipeline.syncOperations.addHandler(ReceiveBudgetHandler(bytes: receiveLimit))
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
                // Hummingbird allows half-closed connections. A WebSocket has no use for them, and TLS would wait for a
                // close_notify from a client that has only closed its sending side.
                try await value.channel.setOption(.allowRemoteHalfClosure, value: false).get()
                let caller = Caller(headers: request.headers)
                await SocketSession(driver: driver, connection: connection, token: caller.token).run()
            case .ended:
                break
            }
        } catch {
            logger.debug("A connection could not be set up", metadata: ["error": "\(error)"])
        }
    }
}
