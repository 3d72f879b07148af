import NIOCore
import NIOEmbedded
import Testing

@testable import HoldfastWebSocket

/// What happens while somebody thinks about an upgrade.
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

    /// Without a keep-alive nothing else would ever end the connection.
    @Test func theEndOfAClientIsSeenBehindTheDecision() async throws {
        let outcome = try await begin(WebSocketServerOptions(keepAlive: nil))
        try await channel.writeInbound(ByteBuffer(bytes: Wire(sender: .client).text("early")))
        try await channel.testingEventLoop.executeInContext { [channel] in
            channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        }
        decision.succeed(.accept())
        guard case .webSocket(let connection, _) = try await outcome.get() else {
            Issue.record("no WebSocket")
            return
        }
        var messages = connection.messages.makeAsyncIterator()
        #expect(try await messages.next() == .text("early"))
        let error = await #expect(throws: WebSocketError.self) { try await messages.next() }
        #expect(error?.code == .connectionLost)
    }

    /// Closing on unread bytes would reset the connection, and the answer could be lost with it.
    @Test func aRefusedClientIsReadFrom() async throws {
        let outcome = try await begin(WebSocketServerOptions())
        let before = try await channel.testingEventLoop.executeInContext { [channel, gauge] in
            channel.pipeline.read()
            return gauge.reads
        }
        decision.succeed(.reject(WebSocketRejection(status: 403, reason: "Not you.")))
        guard case .ended = try await outcome.get() else {
            Issue.record("not ended")
            return
        }
        #expect(await eventually { gauge.reads > before })
    }
}
