import NIOCore
import NIOEmbedded
import Testing

@testable import HoldfastWebSocket

/// Tests events while the decision on an upgrade is pending.
@Suite struct UndecidedUpgradeTests {
    private let channel = NIOAsyncTestingChannel()
    private let gauge = ChannelGauge()
    private let decision: EventLoopPromise<WebSocketDecision>

    init() {
        decision = channel.eventLoop.makePromise()
    }

    private func begin(_ options: WebSocketServerOptions) async throws -> EventLoopFuture<WebSocketServerOutcome<Void>>
    {
        try await channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).get()
        let upgrader = WebSocketUpgrader(options: options) { [decision] _, _ in decision.futureResult }
        let outcome = try await channel.testingEventLoop.executeInContext { [channel, gauge] in
            try channel.pipeline.syncOperations.addHandler(gauge.handler())
            return try upgrader.configure(channel) { $0.eventLoop.makeSucceededVoidFuture() }
        }
        var request = "GET /chat HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        request += "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        try await channel.writeInbound(ByteBuffer(string: request))
        return outcome
    }

    /// Without keep-alive, nothing else would end the connection.
    @Test func noticesTheClientsEndAfterTheDecision() async throws {
        let outcome = try await begin(WebSocketServerOptions(keepAlive: nil))
        try await channel.writeInbound(ByteBuffer(bytes: Wire(sender: .client).text("early")))
        try await channel.testingEventLoop.executeInContext { [channel] in
            channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        }
        decision.succeed(.accept())
        guard case .webSocket(let connection, _) = try await outcome.get() else {
            Issue.record("The outcome is not a WebSocket.")
            return
        }
        var messages = connection.messages.makeAsyncIterator()
        #expect(try await messages.next() == .text("early"))
        let error = await #expect(throws: WebSocketError.self) { try await messages.next() }
        #expect(error?.code == .connectionLost)
    }

    /// Closing with unread data would reset the connection, and the response could be lost.
    @Test func readsFromARefusedClient() async throws {
        let outcome = try await begin(WebSocketServerOptions())
        let before = try await channel.testingEventLoop.executeInContext { [channel, gauge] in
            channel.pipeline.read()
            return gauge.reads
        }
        decision.succeed(.reject(WebSocketRejection(status: 403, reason: "Not you.")))
        guard case .ended = try await outcome.get() else {
            Issue.record("The outcome is not an ended connection.")
            return
        }
        #expect(await eventually { gauge.reads > before })
    }
}
