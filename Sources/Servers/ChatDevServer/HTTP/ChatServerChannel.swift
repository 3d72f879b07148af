import ChatServerCore
import HoldfastWebSocket
import HummingbirdCore
import Logging
import NIOCore
import ServerKit

/// A child channel that serves everything on one port: TLS with the current identity, then HTTP/2 if the client has
/// asked for it, and otherwise WebSocket or HTTP/1.1, depending on the first request.
struct ChatServerChannel: ServerChildChannel {
    enum HTTP: Sendable {
        case http1(HTTP1Channel.Value)
        case http2(HTTP2Connection)
    }

    struct Value: ServerChildChannelValue {
        let connection: AcceptedConnection<WebSocketServerOutcome<HTTP>>
        var channel: any Channel { connection.channel }
    }

    let http: HTTP1Channel
    let http2: HTTP2Connection.Limits
    let identity: CurrentIdentity
    let upgrader: WebSocketUpgrader
    let driver: ChatServerDriver

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            let tls = identity.makeHandler()
            if let tls { try channel.pipeline.syncOperations.addHandler(tls) }
            let outcome = try upgrader.configure(channel, http2: tls == nil ? nil : setUpHTTP2) {
                setUpHTTP($0, logger: logger)
            }
            return Value(connection: AcceptedConnection(channel, outcome: outcome))
        }
    }

    private func setUpHTTP(_ channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP> {
        do {
            try channel.pipeline.syncOperations.addHandler(ReceiveBudgetHandler(bytes: http2.receiveLimit))
        } catch {
            return channel.eventLoop.makeFailedFuture(error)
        }
        return http.setup(channel: channel, logger: logger).map { .http1($0) }
    }

    private func setUpHTTP2(_ channel: any Channel) -> EventLoopFuture<HTTP> {
        channel.eventLoop.makeCompletedFuture { .http2(try HTTP2Connection(on: channel, limits: http2)) }
    }

    func handle(value: Value, logger: Logger) async {
        do {
            switch try await value.connection.handled() {
            case .http(.http1(let channel)):
                await http.handle(value: channel, logger: logger)
            case .http(.http2(let connection)):
                await connection.handle { await http.handle(value: $0, logger: logger) }
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
