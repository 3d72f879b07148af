import HTTPTypes
import HoldfastTransport
import NIOCore
import NIOEmbedded
import Testing

@testable import HoldfastWebSocket

/// Tests an upgrade and the frames after it for every segmentation, and heads that arrive byte by byte.
@Suite struct SegmentedUpgradeTests {
    private static let hello: [UInt8] = [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]

    /// Returns the frames after the head: a message, compressed if negotiated, a ping, a fragmented message and a close
    /// frame.
    private func frames(_ sender: WebSocketRole, compressed: Bool) -> [UInt8] {
        let wire = Wire(sender: sender)
        let first = compressed ? wire.frame(Wire.text, Self.hello, reserved: 4) : wire.text("Hello")
        return first + wire.frame(Wire.ping, [7]) + wire.text("é", final: false)
            + wire.frame(Wire.continuation, Array("ß".utf8)) + wire.close(4000, "end")
    }

    /// Returns the bytes as a whole, byte by byte, and split at every position.
    private func segmentations(_ bytes: [UInt8]) -> [[ArraySlice<UInt8>]] {
        [[bytes[...]], bytes.indices.map { bytes[$0...$0] }]
            + (1..<bytes.count).map { [bytes[..<$0], bytes[$0...]] }
    }

    private func channel() async throws -> NIOAsyncTestingChannel {
        let channel = NIOAsyncTestingChannel()
        try await channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).get()
        return channel
    }

    private func check(_ connection: WebSocketConnection, _ context: String) async throws {
        var messages = connection.messages.makeAsyncIterator()
        #expect(try await messages.next() == .text("Hello"), "\(context)")
        #expect(try await messages.next() == .text("éß"), "\(context)")
        #expect(try await messages.next() == nil, "\(context)")
        #expect(
            connection.closure
                == WebSocketClosure(
                    code: try #require(WebSocketCloseCode(rawValue: 4000)), reason: "end", initiator: .remote,
                    isClean: true), "\(context)")
    }

    // MARK: Client

    private func attempt(_ options: WebSocketOptions) throws -> ClientAttempt {
        let entropy = WebSocketEntropy { 0x0123_4567_89AB_CDEF }
        let handshake = try ClientHandshake(
            url: try RequestURL("ws://127.0.0.1/"), headers: [:], subprotocols: [], deflate: options.deflate,
            entropy: entropy)
        return ClientAttempt(
            handshake: handshake, options: options, limits: TransportLimits(), entropy: entropy, logger: nil)
    }

    @Test(arguments: [false, true])
    func everySegmentationOfAResponseAndItsFrames(compressed: Bool) async throws {
        let options = WebSocketOptions(keepAlive: nil, deflate: compressed ? WebSocketDeflate() : nil)
        let attempt = try attempt(options)
        var head = "HTTP/1.1 103 Early Hints\r\n\r\n"
        head += "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        head += "Sec-WebSocket-Accept: \(attempt.handshake.key.accept)\r\n"
        if compressed { head += "Sec-WebSocket-Extensions: permessage-deflate; server_no_context_takeover\r\n" }
        let bytes = Array((head + "\r\n").utf8) + frames(.server, compressed: compressed)
        for (index, pieces) in segmentations(bytes).enumerated() {
            let attempt = try self.attempt(options)
            let channel = try await channel()
            try await channel.testingEventLoop.executeInContext {
                try channel.pipeline.syncOperations.addHandler(
                    ClientUpgradeHandler(attempt: attempt, facts: ConnectionFacts(remoteAddress: "test")))
            }
            let connection = try await withCheckedThrowingContinuation { waiter in
                guard attempt.begin(waiter) else { return }
                channel.eventLoop.execute {
                    for piece in pieces {
                        channel.pipeline.syncOperations.fireChannelRead(NIOAny(ByteBuffer(bytes: piece)))
                        channel.pipeline.syncOperations.fireChannelReadComplete()
                    }
                }
            }
            #expect(connection.usesDeflate == compressed)
            try await check(connection, "segmentation \(index)")
        }
    }

    /// A server that sends one byte per second never completes its response. The timeout is not extended.
    @Test func slowResponseTimesOut() async throws {
        let attempt = try attempt(WebSocketOptions(upgradeTimeout: .seconds(30)))
        let channel = try await channel()
        try await channel.testingEventLoop.executeInContext {
            try channel.pipeline.syncOperations.addHandler(
                ClientUpgradeHandler(attempt: attempt, facts: ConnectionFacts(remoteAddress: "test")))
        }
        let (begun, continuation) = AsyncStream.makeStream(of: Bool.self)
        async let connecting = withCheckedThrowingContinuation { waiter in
            continuation.yield(attempt.begin(waiter))
        }
        #expect(await begun.first { _ in true } == true)
        let bytes = Array("HTTP/1.1 101 Switching Protocols\r\nX-Long: ".utf8) + [UInt8](repeating: 0x61, count: 100)
        for byte in bytes.prefix(29) {
            await channel.testingEventLoop.advanceTime(by: .seconds(1))
            try await channel.writeInbound(ByteBuffer(bytes: [byte]))
        }
        #expect(channel.isActive)
        await channel.testingEventLoop.advanceTime(by: .seconds(1))
        do {
            _ = try await connecting
            Issue.record("connected")
        } catch let error as TransportError {
            #expect(error.code == .timedOut && error.phase == .upgrading)
        }
        try await channel.closeFuture.get()
    }

    // MARK: Server

    private func request(compressed: Bool) -> [UInt8] {
        var head = "GET /chat HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        head += "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        if compressed { head += "Sec-WebSocket-Extensions: permessage-deflate; client_no_context_takeover\r\n" }
        return Array((head + "\r\n").utf8)
    }

    /// - Parameter waits: Whether the decision comes only after all data has arrived.
    @Test(arguments: [false, true], [false, true])
    func everySegmentationOfARequestAndItsFrames(compressed: Bool, waits: Bool) async throws {
        let options = WebSocketServerOptions(keepAlive: nil, deflate: compressed ? WebSocketDeflate() : nil)
        let bytes = request(compressed: compressed) + frames(.client, compressed: compressed)
        for (index, pieces) in segmentations(bytes).enumerated() {
            let channel = try await channel()
            let decision = channel.eventLoop.makePromise(of: WebSocketDecision.self)
            if !waits { decision.succeed(.accept()) }
            let upgrader = WebSocketUpgrader(options: options) { _, _ in decision.futureResult }
            let outcome = try await channel.testingEventLoop.executeInContext {
                try upgrader.configure(channel) { $0.eventLoop.makeSucceededVoidFuture() }
            }
            for piece in pieces { try await channel.writeInbound(ByteBuffer(bytes: piece)) }
            if waits { decision.succeed(.accept()) }
            guard case .webSocket(let connection, _) = try await outcome.get() else {
                Issue.record("The outcome is not a WebSocket; segmentation \(index).")
                return
            }
            #expect(connection.usesDeflate == compressed)
            try await check(connection, "segmentation \(index)")
        }
    }

    /// A client that sends one byte per second is passed to the HTTP server after ten seconds, with all its data. The
    /// HTTP server has its own timeouts.
    @Test func passesASlowRequestToTheHTTPServer() async throws {
        let channel = try await channel()
        let upgrader = WebSocketUpgrader { _, loop in loop.makeSucceededFuture(.accept()) }
        let outcome = try await channel.testingEventLoop.executeInContext {
            try upgrader.configure(channel) { $0.eventLoop.makeSucceededVoidFuture() }
        }
        for byte in request(compressed: false).prefix(9) {
            await channel.testingEventLoop.advanceTime(by: .seconds(1))
            try await channel.writeInbound(ByteBuffer(bytes: [byte]))
        }
        #expect(try await channel.readInbound(as: ByteBuffer.self) == nil)
        await channel.testingEventLoop.advanceTime(by: .seconds(1))
        guard case .http = try await outcome.get() else {
            Issue.record("The request was not passed to the HTTP server.")
            return
        }
        #expect(try await channel.readInbound(as: ByteBuffer.self) == ByteBuffer(string: "GET /chat"))
    }
}
