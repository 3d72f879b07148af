import HoldfastTestSupport
import HoldfastWebSocket
import NIOCore
import Synchronization
import Testing

/// Tests negotiated compression over sockets.
@Suite struct DeflateTests {
    static let options: [WebSocketDeflate?] = [
        nil, WebSocketDeflate(minimumSize: 1),
        WebSocketDeflate(sendingContextTakeover: true, receivingContextTakeover: true, minimumSize: 1),
        WebSocketDeflate(sendingWindowBits: 9, receivingWindowBits: 10, level: 9),
    ]

    @Test(arguments: options, options)
    func echoesUnderEveryPairOfOptions(client: WebSocketDeflate?, server: WebSocketDeflate?) async throws {
        let world = try await EchoTests.world(
            tls: false, options: WebSocketServerOptions(keepAlive: nil, deflate: server))
        let connection = try await world.client.connect(
            world.url, options: WebSocketOptions(keepAlive: nil, deflate: client))
        #expect(connection.usesDeflate == (client != nil && server != nil))
        var generator = SeededGenerator(seed: 1)
        var messages = connection.messages.makeAsyncIterator()
        for size in [0, 1, 300, 20_000, 300_000] {
            let message = WebSocketMessage.text(DeflateGroupTests.text(size, &generator))
            try await connection.send(message)
            #expect(try await messages.next() == message)
        }
        await connection.close()
        #expect(connection.closure?.isClean == true)
        await world.server.stop()
    }

    @Test func streamsInBothDirectionsOverTLS() async throws {
        let deflate = WebSocketDeflate()
        let size = 3 << 20
        let world = try await EchoTests.world(
            tls: true,
            options: WebSocketServerOptions(
                limits: WebSocketLimits(sendBuffer: 100_000), keepAlive: nil, deflate: deflate, deliversParts: true)
        ) { connection, _ in
            // Sends back each part before the next one has arrived.
            let (pieces, continuation) = AsyncStream.makeStream(of: [UInt8].self)
            async let sending: Void = connection.send(binary: pieces)
            do {
                for try await part in connection.parts {
                    continuation.yield(part.bytes)
                    if part.isLast { break }
                }
                continuation.finish()
                try await sending
                await connection.close()
            } catch {
                continuation.finish()
            }
        }
        let connection = try await world.client.connect(
            world.url, options: WebSocketOptions(keepAlive: nil, deflate: deflate, deliversParts: true))
        let sent = Mutex(0)
        let pieces = AsyncStream<[UInt8]> {
            let position = sent.withLock { sent in
                defer { sent += 50_000 }
                return sent
            }
            guard position < size else { return nil }
            return (position..<min(position + 50_000, size)).map { UInt8(truncatingIfNeeded: $0 >> 7) }
        }
        async let sending: Void = connection.send(binary: pieces)
        var position = 0
        var isRight = true
        var hasEnded = false
        for try await part in connection.parts {
            for byte in part.bytes {
                isRight = isRight && byte == UInt8(truncatingIfNeeded: position >> 7)
                position += 1
            }
            hasEnded = part.isLast
        }
        try await sending
        #expect(position == size && isRight && hasEnded)
        await world.server.stop()
    }

    @Test func refusesAGrantThatWasNotOffered() async throws {
        let server = try await ScriptedServer.start { head in
            ScriptedServer.Reply(
                bytes: ScriptedServer.grant(
                    head, extra: "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits=20\r\n"))
        }
        let error = await #expect(throws: WebSocketError.self) {
            try await WebSocketClient().connect(
                "ws://127.0.0.1:\(server.port)/", options: WebSocketOptions(deflate: WebSocketDeflate()))
        }
        #expect(error?.code == .invalidUpgrade)
        await server.stop()
    }

    /// A compressed message and an invalid frame directly after the `101`: connecting succeeds, and the connection
    /// reports the error.
    @Test func decompressesDataThatFollowsTheResponse() async throws {
        let server = try await ScriptedServer.start { head in
            let grant = ScriptedServer.grant(
                head, extra: "Sec-WebSocket-Extensions: permessage-deflate; server_no_context_takeover\r\n")
            let hello: [UInt8] = [0xC1, 7, 0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]
            return ScriptedServer.Reply(bytes: grant + hello + [0x83, 0], closes: true)
        }
        let connection = try await WebSocketClient().connect(
            "ws://127.0.0.1:\(server.port)/", options: WebSocketOptions(deflate: WebSocketDeflate()))
        var messages = connection.messages.makeAsyncIterator()
        #expect(try await messages.next() == .text("Hello"))
        let error = await #expect(throws: WebSocketError.self) { try await messages.next() }
        #expect(error?.violation == .reservedOpcode)
        await server.stop()
    }

    /// A close frame in the same segment as the `101` ends the connection, not the upgrade.
    @Test func acceptsAnUpgradeThatIsClosedImmediately() async throws {
        for frame: [UInt8] in [[0x88, 0x02, 0x0F, 0xA0], [0x83, 0x00]] {
            let server = try await ScriptedServer.start { head in
                ScriptedServer.Reply(bytes: ScriptedServer.grant(head) + frame, closes: true)
            }
            let connection = try await WebSocketClient().connect("ws://127.0.0.1:\(server.port)/")
            do {
                for try await _ in connection.messages {}
                #expect(connection.closure?.code.rawValue == 4000)
            } catch let error as WebSocketError {
                #expect(error.violation == .reservedOpcode)
            }
            await server.stop()
        }
    }
}
