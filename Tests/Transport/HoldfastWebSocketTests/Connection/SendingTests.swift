import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import HoldfastWebSocket

@Suite struct SendingTests {
    private func release(_ tested: TestedConnection) async throws {
        try await tested.channel.pipeline.triggerUserOutboundEvent(ChannelGauge.Handler.Release()).get()
    }

    @Test func serverSendsOneUnmaskedFrame() async throws {
        let tested = try await TestedConnection(.server)
        try await tested.connection.send(.text("Hello"))
        #expect(try await tested.written() == [0x81, 5] + Array("Hello".utf8))
        try await tested.connection.send(.binary([1, 2]))
        #expect(try await tested.written() == [0x82, 2, 1, 2])
    }

    @Test func sendSuspendsWhileTheSocketIsFull() async throws {
        let tested = try await TestedConnection(.server, limits: WebSocketLimits(sendBuffer: 100))
        tested.gauge.holdWrites()
        let connection = tested.connection
        let link = connection.link
        try await connection.send(.binary([UInt8](repeating: 1, count: 60)))
        try await connection.send(.binary([UInt8](repeating: 2, count: 60)))
        async let third: Void = connection.send(.binary([3]))
        #expect(await eventually { link.state.withLock { $0.outbox.hasWaiters } })
        #expect(try await tested.channel.readOutbound(as: ByteBuffer.self) == nil)
        try await release(tested)
        try await third
        var bytes: [UInt8] = []
        while bytes.count < 62 + 62 + 3 { bytes += try await tested.written() }
        #expect(bytes.suffix(3) == [0x82, 1, 3])
    }

    @Test func cancelledSenderSendsNothing() async throws {
        let tested = try await TestedConnection(.server, limits: WebSocketLimits(sendBuffer: 1))
        tested.gauge.holdWrites()
        let connection = tested.connection
        let link = connection.link
        try await connection.send(.text("first"))
        await #expect(throws: CancellationError.self) {
            try await withThrowingTaskGroup { group in
                group.addTask { try await connection.send(.text("never")) }
                #expect(await eventually { link.state.withLock { $0.outbox.hasWaiters } })
                group.cancelAll()
                try await group.waitForAll()
            }
        }
        try await release(tested)
        try await connection.send(.text("second"))
        var bytes: [UInt8] = []
        while bytes.count < 7 + 8 { bytes += try await tested.written() }
        #expect(bytes == [0x81, 5] + Array("first".utf8) + [0x81, 6] + Array("second".utf8))
    }

    @Test func failsWaitingSendersWhenTheConnectionEnds() async throws {
        let tested = try await TestedConnection(.server, limits: WebSocketLimits(sendBuffer: 1))
        tested.gauge.holdWrites()
        let connection = tested.connection
        let link = connection.link
        try await connection.send(.text("first"))
        async let waiting: Void = connection.send(.text("second"))
        #expect(await eventually { link.state.withLock { $0.outbox.hasWaiters } })
        try await tested.receive(tested.wire.close(4002))
        do {
            try await waiting
            Issue.record("sent")
        } catch let error as WebSocketError {
            #expect(error.code == .closed)
            #expect(error.closure?.code.rawValue == 4002)
        }
    }

    @Test func sendsNothingAfterTheEnd() async throws {
        let tested = try await TestedConnection(.server)
        try await tested.receive(tested.wire.close(1000))
        let sending = await #expect(throws: WebSocketError.self) { try await tested.connection.send(.text("late")) }
        #expect(sending?.code == .closed)
        let pinging = await #expect(throws: WebSocketError.self) { try await tested.connection.ping() }
        #expect(pinging?.code == .closed)
    }

    @Test func pingReturnsTheRoundTripTime() async throws {
        let tested = try await TestedConnection(.server)
        let connection = tested.connection
        async let roundTrip = connection.ping()
        let ping = try await tested.written()
        #expect(ping.prefix(2) == [0x89, 8])
        await tested.advance(.milliseconds(250))
        try await tested.receive(tested.wire.frame(Wire.pong, Array(ping.dropFirst(2))))
        #expect(try await roundTrip == .milliseconds(250))
    }

    @Test func pingFailsWithTheErrorThatEndsTheConnection() async throws {
        let tested = try await TestedConnection(.server)
        let connection = tested.connection
        async let roundTrip = connection.ping()
        _ = try await tested.written()
        try await tested.receive(tested.wire.frame(15))
        do {
            _ = try await roundTrip
            Issue.record("answered")
        } catch let error as WebSocketError {
            #expect(error.violation == .reservedOpcode)
        }
    }

    @Test func cancelledPingDoesNotCountAsPending() async throws {
        let tested = try await TestedConnection(.server)
        let connection = tested.connection
        for _ in 0..<(WebSocketLimits.pendingPings + 5) {
            await #expect(throws: CancellationError.self) {
                try await withThrowingTaskGroup { group in
                    group.addTask { _ = try await connection.ping() }
                    group.cancelAll()
                    try await group.waitForAll()
                }
            }
        }
        await tested.channel.testingEventLoop.run()
        while try await tested.channel.readOutbound(as: ByteBuffer.self) != nil {}
        // Cancelled pings do not count against the limit.
        async let roundTrip = connection.ping()
        let ping = try await tested.written()
        try await tested.receive(tested.wire.frame(Wire.pong, Array(ping.dropFirst(2))))
        _ = try await roundTrip
    }
}
