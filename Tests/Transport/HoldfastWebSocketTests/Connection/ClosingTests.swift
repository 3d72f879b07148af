import NIOCore
import NIOEmbedded
import Testing

@testable import HoldfastWebSocket

@Suite struct ClosingTests {
    @Test func closeWaitsForThePeerAndTheSocket() async throws {
        let tested = try await TestedConnection(.server)
        let connection = tested.connection
        async let closing: Void = connection.close(.goingAway, reason: "bye")
        #expect(try await tested.written() == [0x88, 5, 0x03, 0xE9] + Array("bye".utf8))
        try await tested.receive(tested.wire.close(1001))
        await closing
        #expect(!tested.channel.isActive)
        #expect(connection.closure == WebSocketClosure(code: .goingAway, initiator: .local, isClean: true))
        // Closing a closed connection returns immediately.
        await connection.close()
    }

    @Test func closeReturnsAtItsTimeout() async throws {
        let tested = try await TestedConnection(.client)
        let connection = tested.connection
        async let closing: Void = connection.close()
        _ = try await tested.written()
        await tested.advance(.milliseconds(4999))
        #expect(tested.channel.isActive)
        await tested.advance(.milliseconds(1))
        await closing
        #expect(!tested.channel.isActive)
        #expect(connection.closure?.isClean == false)
        for try await _ in connection.messages { Issue.record("A message arrived.") }
    }

    @Test func sendsEarlierMessagesBeforeTheCloseFrame() async throws {
        let tested = try await TestedConnection(.server)
        let connection = tested.connection
        for number in 0..<10 { try await connection.send(.binary([UInt8(number)])) }
        async let closing: Void = connection.close()
        var bytes: [UInt8] = []
        while bytes.count < 30 + 4 { bytes += try await tested.written() }
        #expect(bytes == (0..<10).flatMap { [0x82, 1, $0] } + [0x88, 2, 0x03, 0xE8])
        try await tested.receive(tested.wire.close(1000))
        await closing
    }

    @Test func cancellingCloseCutsTheConnection() async throws {
        let tested = try await TestedConnection(.client)
        let connection = tested.connection
        await withTaskGroup { group in
            group.addTask { await connection.close() }
            _ = try? await tested.written()
            group.cancelAll()
        }
        #expect(!tested.channel.isActive)
    }

    @Test func silenceEndsTheConnection() async throws {
        let tested = try await TestedConnection(
            .client, keepAlive: WebSocketKeepAlive(interval: .seconds(30), timeout: .seconds(10)))
        await tested.advance(.seconds(30))
        #expect(try await tested.written() == [0x89, 0x80, 0, 0, 0, 0])
        try await tested.receive(tested.wire.frame(Wire.pong))
        await tested.advance(.seconds(30))
        #expect(try await tested.written() == [0x89, 0x80, 0, 0, 0, 0])
        await tested.advance(.seconds(10))
        let error = await #expect(throws: WebSocketError.self) {
            for try await _ in tested.connection.messages {}
        }
        #expect(error?.code == .keepAliveTimedOut)
        #expect(!tested.channel.isActive)
    }

    @Test func releasingTheConnectionClosesIt() async throws {
        let (channel, link) = try await { () async throws -> (NIOAsyncTestingChannel, WeakLink) in
            let tested = try await TestedConnection(.server)
            return (tested.channel, WeakLink(tested.connection.link))
        }()
        let bytes = try await channel.waitForOutboundWrite(as: ByteBuffer.self)
        #expect(Array(bytes.readableBytesView) == [0x88, 2, 0x03, 0xE9])
        await channel.testingEventLoop.advanceTime(by: .seconds(5))
        try await channel.closeFuture.get()
        #expect(await eventually { link.isGone })
    }

    @Test func messageSequenceRetainsItsConnection() async throws {
        let (channel, messages) = try await { () async throws -> (NIOAsyncTestingChannel, WebSocketMessages) in
            let tested = try await TestedConnection(.server)
            return (tested.channel, tested.connection.messages)
        }()
        try await channel.writeInbound(ByteBuffer(bytes: Wire(sender: .client).text("still here")))
        #expect(try await messages.first { _ in true } == .text("still here"))
        #expect(try await channel.readOutbound(as: ByteBuffer.self) == nil)
    }

    @Test func releasedServerConnectionSendsGoingAway() async throws {
        let tested = try await TestedConnection(.server)
        tested.channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        #expect(try await tested.written() == [0x88, 2, 0x03, 0xE9])
    }

    @Test func resumesTheReaderOfALostConnectionOnce() async throws {
        let tested = try await TestedConnection(.server)
        try await tested.receive(tested.wire.frame(15))
        await tested.advance(.seconds(5))
        #expect(!tested.channel.isActive)
        let error = await #expect(throws: WebSocketError.self) {
            for try await _ in tested.connection.messages {}
        }
        #expect(error?.violation == .reservedOpcode)
        for try await _ in tested.connection.messages { Issue.record("A message arrived.") }
    }
}

/// Records whether a link has been released.
private final class WeakLink: Sendable {
    private weak let link: WebSocketLink?

    init(_ link: WebSocketLink) {
        self.link = link
    }

    var isGone: Bool { link == nil }
}
