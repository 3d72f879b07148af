import HoldfastTransport
import NIOCore
import NIOEmbedded

@testable import HoldfastWebSocket

/// A connection on a channel without a socket, with a clock controlled by the test.
struct TestedConnection {
    let channel: NIOAsyncTestingChannel
    let gauge: ChannelGauge
    let connection: WebSocketConnection
    let wire: Wire

    init(
        _ role: WebSocketRole = .client, limits: WebSocketLimits = WebSocketLimits(),
        keepAlive: WebSocketKeepAlive? = nil
    ) async throws {
        try await self.init(
            role, settings: WebSocketSettings(limits: limits, keepAlive: keepAlive, closeTimeout: .seconds(5)))
    }

    init(_ role: WebSocketRole, settings: WebSocketSettings) async throws {
        let gauge = ChannelGauge()
        let channel = NIOAsyncTestingChannel()
        try await channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).get()
        self.connection = try await channel.testingEventLoop.executeInContext {
            try channel.pipeline.syncOperations.addHandler(gauge.handler())
            return try WebSocketConnection.install(
                on: channel,
                WebSocketConnection.Parts(
                    role: role, settings: settings, entropy: WebSocketEntropy { 0 }, subprotocol: nil,
                    facts: ConnectionFacts(remoteAddress: "test"),
                    logger: nil))
        }
        self.channel = channel
        self.gauge = gauge
        self.wire = Wire(sender: role.peer)
    }

    func receive(_ bytes: [UInt8]) async throws {
        try await channel.writeInbound(ByteBuffer(bytes: bytes))
    }

    /// Returns the next written bytes. The mask key is zero, so a client's payload is readable.
    func written() async throws -> [UInt8] {
        Array(try await channel.waitForOutboundWrite(as: ByteBuffer.self).readableBytesView)
    }

    func advance(_ time: TimeAmount) async {
        await channel.testingEventLoop.advanceTime(by: time)
    }

    /// Requests a read and returns the number of read requests that have reached the socket.
    func readsAfterAsking() async throws -> Int {
        try await channel.testingEventLoop.executeInContext {
            channel.pipeline.read()
        }
        return gauge.reads
    }
}
