import HoldfastTransport
import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import HoldfastWebSocket

@Suite struct ReceivingTests {
    @Test func deliversMessagesInOrderUntilTheClose() async throws {
        let tested = try await TestedConnection()
        try await tested.receive(tested.wire.text("one") + tested.wire.text("two") + tested.wire.close(4000, "bye"))
        var seen: [WebSocketMessage] = []
        for try await message in tested.connection.messages { seen.append(message) }
        #expect(seen == [.text("one"), .text("two")])
        #expect(tested.connection.closure?.code.rawValue == 4000)
        #expect(tested.connection.closure?.reason == "bye")
        #expect(try await tested.written() == [0x88, 0x82, 0, 0, 0, 0, 0x0F, 0xA0])
    }

    @Test(arguments: WebSocketRole.allCases)
    func onlyASlowReaderPausesTheSocket(role: WebSocketRole) async throws {
        let tested = try await TestedConnection(role, limits: WebSocketLimits(receiveBuffer: 1000))
        #expect(try await tested.readsAfterAsking() == 1)
        let message = tested.wire.frame(Wire.binary, [UInt8](repeating: 0, count: 400))
        try await tested.receive(message + message)
        #expect(try await tested.readsAfterAsking() == 2)
        // The third message exceeds the capacity, so the read request is delayed.
        try await tested.receive(message)
        #expect(try await tested.readsAfterAsking() == 2)
        #expect(try await tested.readsAfterAsking() == 2)
        var iterator = tested.connection.messages.makeAsyncIterator()
        _ = try await iterator.next()
        #expect(try await tested.readsAfterAsking() == 2)
        _ = try await iterator.next()
        // Below half of the capacity, reading resumes.
        #expect(await eventually { tested.gauge.reads == 3 })
    }

    @Test func closingDoesNotWaitForASlowReader() async throws {
        let tested = try await TestedConnection(limits: WebSocketLimits(receiveBuffer: 10))
        try await tested.receive(tested.wire.text("more than ten bytes"))
        #expect(try await tested.readsAfterAsking() == 0)
        async let closing: Void = tested.connection.close()
        #expect(try await tested.written() == [0x88, 0x82, 0, 0, 0, 0, 0x03, 0xE8])
        #expect(await eventually { tested.gauge.reads == 1 })
        try await tested.receive(tested.wire.close(1000))
        await tested.advance(.seconds(5))
        await closing
        // Earlier messages are still available.
        var seen: [WebSocketMessage] = []
        for try await message in tested.connection.messages { seen.append(message) }
        #expect(seen == [.text("more than ten bytes")])
        #expect(tested.connection.closure?.isClean == true)
    }

    @Test func refusesAConcurrentReader() async throws {
        let tested = try await TestedConnection()
        let connection = tested.connection
        async let first = connection.messages.first { _ in true }
        let link = connection.link
        #expect(await eventually { link.state.withLock { $0.mailbox.hasReader } })
        let error = await #expect(throws: WebSocketError.self) {
            try await connection.messages.first { _ in true }
        }
        #expect(error?.code == .concurrentReaders)
        try await tested.receive(tested.wire.text("for the first"))
        #expect(try await first == .text("for the first"))
    }

    @Test func cancelledReaderLosesNoMessage() async throws {
        let tested = try await TestedConnection()
        let connection = tested.connection
        await #expect(throws: CancellationError.self) {
            try await withThrowingTaskGroup { group in
                group.addTask {
                    _ = try await connection.messages.first { _ in true }
                }
                group.cancelAll()
                try await group.waitForAll()
            }
        }
        try await tested.receive(tested.wire.text("kept"))
        #expect(try await connection.messages.first { _ in true } == .text("kept"))
    }

    @Test func throwsAViolationAfterTheMessages() async throws {
        let tested = try await TestedConnection()
        try await tested.receive(tested.wire.text("good") + tested.wire.frame(Wire.text, [0xFF]))
        var iterator = tested.connection.messages.makeAsyncIterator()
        #expect(try await iterator.next() == .text("good"))
        let error = await #expect(throws: WebSocketError.self) { try await iterator.next() }
        #expect(error?.code == .protocolViolation)
        #expect(error?.violation == .invalidUTF8)
        #expect(error?.closure?.code == .invalidPayload)
        #expect(try await iterator.next() == nil)
        #expect(try await tested.written() == [0x88, 0x82, 0, 0, 0, 0, 0x03, 0xEF])
    }

    @Test func reportsALostConnection() async throws {
        let tested = try await TestedConnection()
        try await tested.channel.close().get()
        let error = await #expect(throws: WebSocketError.self) {
            for try await _ in tested.connection.messages {}
        }
        #expect(error?.code == .connectionLost)
        #expect(tested.connection.closure?.isClean == false)
    }

    @Test func channelErrorEndsTheConnectionAndIsReported() async throws {
        let tested = try await TestedConnection()
        tested.channel.pipeline.fireErrorCaught(TestFailure())
        let error = await #expect(throws: WebSocketError.self) {
            for try await _ in tested.connection.messages {}
        }
        #expect(error?.code == .connectionLost)
        #expect(error?.reason.contains("TestFailure") == true)
        try await tested.channel.closeFuture.get()
    }

    /// The refusal by a changed policy takes precedence over any violation by the server.
    @Test func refusalReplacesAPendingViolation() async throws {
        let tested = try await TestedConnection()
        try await tested.receive(tested.wire.text("first") + tested.wire.frame(15))
        tested.channel.pipeline.fireErrorCaught(try Self.refusal())
        try await tested.channel.closeFuture.get()
        var iterator = tested.connection.messages.makeAsyncIterator()
        #expect(try await iterator.next() == .text("first"))
        let error = await #expect(throws: TransportError.self) { try await iterator.next() }
        #expect(error?.code == .trustRefused)
        #expect(try await iterator.next() == nil)
    }

    /// Unread data from a refused server is dropped, including violations.
    @Test(arguments: [false, true])
    func dropsUnreadDataOfARefusedServer(isViolation: Bool) async throws {
        let tested = try await TestedConnection(limits: WebSocketLimits(receiveBuffer: 10))
        try await tested.receive(tested.wire.text("more than ten bytes"))
        try await tested.receive(isViolation ? tested.wire.frame(15) : tested.wire.text("unread"))
        tested.channel.pipeline.fireErrorCaught(try Self.refusal())
        try await tested.channel.closeFuture.get()
        var iterator = tested.connection.messages.makeAsyncIterator()
        #expect(try await iterator.next() == .text("more than ten bytes"))
        let error = await #expect(throws: TransportError.self) { try await iterator.next() }
        #expect(error?.code == .trustRefused)
    }

    /// A channel error closes the channel even if earlier messages still wait for their reader.
    @Test func channelErrorClosesBeforeTheReaderCatchesUp() async throws {
        let tested = try await TestedConnection(limits: WebSocketLimits(receiveBuffer: 10))
        try await tested.receive(tested.wire.text("more than ten bytes") + tested.wire.text("unread"))
        tested.channel.pipeline.fireErrorCaught(TestFailure())
        try await tested.channel.closeFuture.get()
        var iterator = tested.connection.messages.makeAsyncIterator()
        #expect(try await iterator.next() == .text("more than ten bytes"))
        #expect(try await iterator.next() == .text("unread"))
        let error = await #expect(throws: WebSocketError.self) { try await iterator.next() }
        #expect(error?.code == .connectionLost)
        #expect(error?.reason.contains("TestFailure") == true)
    }

    private static func refusal() throws -> TransportError {
        var error = TransportError(.cancelled, in: .tls, "refused for a test")
        error.code = .trustRefused
        return error
    }

    /// A reader on another thread requests more, and the mailbox is full again before the event loop handles the
    /// request.
    @Test func ignoresAnOutdatedRequestToResumeReading() async throws {
        let tested = try await TestedConnection(limits: WebSocketLimits(receiveBuffer: 200))
        let link = tested.connection.link
        try await tested.channel.testingEventLoop.executeInContext {
            let handler = try #require(link.handler.value)
            #expect(!link.deliver(.message(.text("a"))) && !link.deliver(.message(.text("b"))))
            tested.channel.pipeline.syncOperations.fireChannelRead(
                NIOAny(ByteBuffer(bytes: tested.wire.text("c") + tested.wire.text("d"))))
            #expect(link.isMailboxFull)
            handler.resumeReading()
        }
        let before = tested.gauge.reads
        #expect(try await tested.readsAfterAsking() == before)
        var iterator = tested.connection.messages.makeAsyncIterator()
        for text in ["a", "b", "c", "d"] { #expect(try await iterator.next() == .text(text)) }
        _ = try await tested.readsAfterAsking()
        #expect(await eventually { tested.gauge.reads > before })
    }

    @Test func processesBytesThatArrivedBeforeTheHandler() async throws {
        let wire = Wire(sender: .client)
        let channel = NIOAsyncTestingChannel()
        try await channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).get()
        let bytes = wire.text("early") + wire.text("late")
        let connection = try await channel.testingEventLoop.executeInContext {
            try WebSocketServerRole.configure(channel: channel, leftOver: ByteBuffer(bytes: bytes[..<7]))
        }
        try await channel.writeInbound(ByteBuffer(bytes: bytes[7...]))
        var iterator = connection.messages.makeAsyncIterator()
        #expect(try await iterator.next() == .text("early"))
        #expect(try await iterator.next() == .text("late"))
    }
}

private struct TestFailure: Error {}
