import HTTPTypes
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import HoldfastWebSocket
import Testing

/// Tests the client against the server of Python's `websockets`, over TLS with a pin.
@Suite(.enabled(if: PythonWebSockets.isInstalled, .init(rawValue: PythonWebSockets.missing)))
struct PythonServerTests {
    private func withServer(
        deflate: Bool = false, subprotocols: [String] = [],
        _ body: @Sendable (PeerFolder, UInt16) async throws -> Void
    ) async throws {
        try await PeerFolder.with { world in
            let process = try PeerProgram.python3.start(
                [
                    try world.write("server.py", PythonWebSockets.server), world.path("chain.pem"),
                    world.path("key.pem"), deflate ? "deflate" : "",
                ] + subprotocols)
            defer { process.stop() }
            try await body(world, try #require(UInt16(await process.firstLine())))
        }
    }

    /// The offered compression: none, the default, and full context takeover.
    static let offers: [WebSocketDeflate?] = [
        nil, WebSocketDeflate(minimumSize: 1),
        WebSocketDeflate(sendingContextTakeover: true, receivingContextTakeover: true, minimumSize: 1),
    ]

    @Test(arguments: offers)
    func echoesMessagesOfEverySize(offer: WebSocketDeflate?) async throws {
        try await withServer(deflate: offer != nil) { world, port in
            let connection = try await world.client().connect(
                world.url("/echo", port: port), options: WebSocketOptions(deflate: offer))
            #expect(connection.usesDeflate == (offer != nil))
            #expect(connection.facts.verdict?.finding.code == .pinMatched)
            var messages = connection.messages.makeAsyncIterator()
            for size in [0, 1, 125, 126, 127, 65_535, 65_536, 1 << 20] {
                // Random text, which does not compress like a bomb.
                var chance = SeededGenerator(seed: UInt64(size))
                let letters = (0..<size).map { _ in Unicode.Scalar(UInt8.random(in: 0x61...0xFF, using: &chance)) }
                let text = String(String.UnicodeScalarView(letters))
                try await connection.send(.text(text))
                #expect(try await messages.next() == .text(text))
                let bytes = (0..<size).map { _ in UInt8.random(in: 0...255, using: &chance) }
                try await connection.send(.binary(bytes))
                #expect(try await messages.next() == .binary(bytes))
            }
            #expect(try await connection.ping() > .zero)
            await connection.close(.goingAway, reason: "done")
            // Some versions repeat the reason, others do not.
            let closure = connection.closure
            #expect(closure?.code == .goingAway && closure?.initiator == .local && closure?.isClean == true)
        }
    }

    @Test(arguments: offers)
    func echoesFragments(offer: WebSocketDeflate?) async throws {
        try await withServer(deflate: offer != nil) { world, port in
            let connection = try await world.client().connect(
                world.url("/fragments", port: port), options: WebSocketOptions(fragmentSize: 777, deflate: offer))
            var messages = connection.messages.makeAsyncIterator()
            let text = String(repeating: "Grüße 🙂 ", count: 5_000)
            try await connection.send(.text(text))
            #expect(try await messages.next() == .text(text))
            let bytes = [UInt8](repeating: 0xFE, count: 100_000)
            try await connection.send(.binary(bytes))
            #expect(try await messages.next() == .binary(bytes))
            await connection.close()
            #expect(connection.closure?.isClean == true)
        }
    }

    @Test func answersPings() async throws {
        try await withServer { world, port in
            let connection = try await world.client().connect(world.url("/ping", port: port))
            var messages = connection.messages.makeAsyncIterator()
            #expect(try await messages.next() == .text("there"))
            await connection.close()
        }
    }

    /// Codes and reasons arrive in both directions.
    @Test func exchangesCloseCodes() async throws {
        try await withServer { world, port in
            let client = try world.client()
            let closing = try await client.connect(world.url("/close", port: port))
            for try await message in closing.messages { Issue.record("\(message)") }
            let code = try #require(WebSocketCloseCode(rawValue: 4001))
            #expect(
                closing.closure
                    == WebSocketClosure(code: code, reason: "enough ☂", initiator: .remote, isClean: true))
            let ours = try await client.connect(world.url("/echo", port: port))
            await ours.close(code, reason: "zu Ende")
            let told = try await client.connect(world.url("/told", port: port))
            var messages = told.messages.makeAsyncIterator()
            #expect(try await messages.next() == .text("[3, [[4001, \"zu Ende\"]]]"))
            await told.close()
        }
    }

    @Test(arguments: [["none", "chat.v1"], ["none"], []])
    func negotiatesSubprotocols(offered: [String]) async throws {
        try await withServer(deflate: true, subprotocols: ["chat.v2", "chat.v1"]) { world, port in
            let options = WebSocketOptions(subprotocols: offered, deflate: WebSocketDeflate())
            let connection: WebSocketConnection
            do {
                connection = try await world.client().connect(world.url("/agreed", port: port), options: options)
            } catch let error as WebSocketError {
                // Newer versions refuse a client that offers no known subprotocol.
                #expect(!offered.contains("chat.v1") && error.refusal?.status == 400, "\(error)")
                return
            }
            let chosen = offered.contains("chat.v1") ? "chat.v1" : nil
            #expect(connection.subprotocol == chosen)
            var messages = connection.messages.makeAsyncIterator()
            let name = chosen.map { "\"\($0)\"" } ?? "null"
            #expect(try await messages.next() == .text("[\(name), [\"permessage-deflate\"]]"))
            await connection.close()
        }
    }

    @Test func sendsARequiredCredential() async throws {
        try await withServer { world, port in
            let client = try world.client()
            let error = await #expect(throws: WebSocketError.self) {
                try await client.connect(world.url("/secret", port: port))
            }
            let refusal = try #require(error?.refusal)
            #expect(refusal.status == 401 && refusal.headerFields[.wwwAuthenticate] == "Bearer realm=\"test\"")
            #expect(String(decoding: refusal.body, as: UTF8.self) == "not you\n")
            let options = WebSocketOptions(headers: [.authorization: "Bearer correct"])
            let connection = try await client.connect(world.url("/secret", port: port), options: options)
            await connection.close()
        }
    }

    @Test func refusesAnotherKeyBeforeTheUpgrade() async throws {
        try await withServer { world, port in
            let error = await #expect(throws: TransportError.self) {
                try await world.client(pin: world.other).connect(world.url("/echo", port: port))
            }
            #expect(error?.verdict?.finding.code == .pinMismatch)
            let told = try await world.client().connect(world.url("/told", port: port))
            var messages = told.messages.makeAsyncIterator()
            #expect(try await messages.next() == .text("[1, []]"))
            await told.close()
        }
    }

    @Test func reportsALostConnection() async throws {
        try await withServer { world, port in
            let connection = try await world.client().connect(world.url("/abrupt", port: port))
            try await connection.send(.text("now"))
            var messages = connection.messages.makeAsyncIterator()
            let error = await #expect(throws: WebSocketError.self) { _ = try await messages.next() }
            #expect(error?.code == .connectionLost && connection.closure?.code == .abnormal)
        }
    }
}
