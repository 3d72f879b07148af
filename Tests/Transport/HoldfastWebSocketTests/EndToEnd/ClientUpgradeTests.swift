import HTTPTypes
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastWebSocket
import Synchronization
import Testing

/// Tests the server's possible responses to the upgrade.
@Suite struct ClientUpgradeTests {
    /// Connects to a server that sends `reply`, and passes the result to `body`.
    private func connect<R: Sendable>(
        _ options: WebSocketOptions = WebSocketOptions(), limits: TransportLimits = TransportLimits(),
        reply: @escaping @Sendable (String) -> ScriptedServer.Reply?,
        _ body: (Result<WebSocketConnection, any Error>) async throws -> R
    ) async throws -> R {
        let server = try await ScriptedServer.start(reply)
        let client = WebSocketClient(configuration: TransportConfiguration(limits: limits))
        let result: Result<WebSocketConnection, any Error>
        do {
            result = .success(try await client.connect("ws://127.0.0.1:\(server.port)/chat?a=b", options: options))
        } catch {
            result = .failure(error)
        }
        let value = try await body(result)
        await server.stop()
        return value
    }

    private func failure(
        _ options: WebSocketOptions = WebSocketOptions(), limits: TransportLimits = TransportLimits(),
        reply: @escaping @Sendable (String) -> ScriptedServer.Reply?
    ) async throws -> (any Error)? {
        try await connect(options, limits: limits, reply: reply) { result in
            if case .failure(let error) = result { error } else { nil }
        }
    }

    @Test func keepsFramesThatFollowTheResponse() async throws {
        let wire = Wire(sender: .server)
        let glued = wire.text("first") + wire.frame(Wire.ping, [1]) + wire.text("second") + wire.close(1000)
        for closes in [false, true] {
            try await connect(reply: { .init(bytes: ScriptedServer.grant($0) + glued, closes: closes) }) { result in
                var seen: [WebSocketMessage] = []
                let connection = try result.get()
                for try await message in connection.messages { seen.append(message) }
                #expect(seen == [.text("first"), .text("second")])
                #expect(connection.closure?.isClean == true)
            }
        }
    }

    @Test func sendsAValidRequest() async throws {
        let seen = Mutex("")
        var options = WebSocketOptions(headers: [.authorization: "Bearer secret"], subprotocols: ["chat"])
        options.headers[.origin] = "https://app.example"
        try await connect(
            options,
            reply: { head in
                seen.withLock { $0 = head }
                return .init(bytes: ScriptedServer.grant(head, extra: "Sec-WebSocket-Protocol: chat\r\n"))
            }
        ) { result in
            let connection = try result.get()
            #expect(connection.subprotocol == "chat")
            #expect(connection.facts.remoteAddress.hasPrefix("127.0.0.1:"))
            await connection.close(.abnormal)
        }
        let lines = seen.withLock { $0 }.split(separator: "\r\n").map(String.init)
        #expect(lines.first == "GET /chat?a=b HTTP/1.1")
        #expect(lines.contains { $0.hasPrefix("Host: 127.0.0.1:") })
        for line in [
            "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Protocol: chat",
            "Authorization: Bearer secret", "Origin: https://app.example",
        ] {
            #expect(lines.contains(line), "\(line)")
        }
        #expect(!lines.contains { $0.lowercased().hasPrefix("sec-websocket-extensions") })
    }

    @Test func reportsARefusalWithFieldsAndBody() async throws {
        let error = try await failure { _ in
            .text("HTTP/1.1 503 Busy\r\nRetry-After: 7\r\nContent-Length: 9\r\n\r\nTry later")
        }
        let refused = try #require(error as? WebSocketError)
        #expect(refused.code == .upgradeRefused)
        let refusal = try #require(refused.refusal)
        #expect(refusal.status == 503)
        #expect(refusal.retryAfter == .seconds(7))
        #expect(String(decoding: refusal.body, as: UTF8.self) == "Try later")
        #expect(!refusal.bodyIsTruncated)
    }

    @Test func limitsTheBodyOfARefusal() async throws {
        let error = try await failure(WebSocketOptions(maximumRefusalBody: 10)) { _ in
            .text("HTTP/1.1 403 No\r\nContent-Length: 1000000\r\n\r\n" + String(repeating: "x", count: 20))
        }
        let refusal = try #require((error as? WebSocketError)?.refusal)
        #expect(refusal.status == 403)
        #expect(refusal.body == Array(repeating: UInt8(ascii: "x"), count: 10))
        #expect(refusal.bodyIsTruncated)
    }

    @Test func reportsATruncatedRefusal() async throws {
        let error = try await failure { _ in
            .text("HTTP/1.1 401 Unauthorized\r\nContent-Length: 100\r\n\r\npart", closes: true)
        }
        let refusal = try #require((error as? WebSocketError)?.refusal)
        #expect(refusal.status == 401)
        #expect(refusal.bodyIsTruncated)
    }

    @Test(arguments: [200, 301, 302, 307, 404, 426, 500])
    func reportsEveryOtherStatusAsRefusal(status: Int) async throws {
        let error = try await failure { _ in
            .text("HTTP/1.1 \(status) X\r\nLocation: ws://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n")
        }
        #expect((error as? WebSocketError)?.refusal?.status == status)
    }

    @Test func skipsInformationalResponsesUpToALimit() async throws {
        let hints = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
        try await connect(reply: { .init(bytes: Array((hints + hints).utf8) + ScriptedServer.grant($0)) }) { result in
            await (try result.get()).close(.abnormal)
        }
        let error = try await failure {
            .init(bytes: Array(String(repeating: hints, count: 11).utf8) + ScriptedServer.grant($0))
        }
        #expect((error as? TransportError)?.code == .malformedResponse)
    }

    static let wrongGrants: [@Sendable (String) -> [UInt8]] = [
        { _ in
            Array(
                "HTTP/1.1 101 X\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: AAAA\r\n\r\n".utf8
            )
        },
        { ScriptedServer.grant($0, extra: "Sec-WebSocket-Extensions: permessage-deflate\r\n") },
        { ScriptedServer.grant($0, extra: "Sec-WebSocket-Protocol: unasked\r\n") },
        { ScriptedServer.grant($0, extra: "Upgrade: h2c\r\n") },
    ]

    @Test(arguments: wrongGrants.indices)
    func refusesAnInvalidGrant(index: Int) async throws {
        let error = try await failure { .init(bytes: Self.wrongGrants[index]($0)) }
        #expect((error as? WebSocketError)?.code == .invalidUpgrade)
    }

    @Test(arguments: ["SSH-2.0-OpenSSH\r\n\r\n", "HTTP/1.1 abc\r\n\r\n", "HTTP/2.0 101 X\r\n\r\n"])
    func reportsOtherProtocolsAsMalformed(text: String) async throws {
        let error = try await failure { _ in .text(text) }
        #expect((error as? TransportError)?.code == .malformedResponse)
        #expect((error as? TransportError)?.phase == .upgrading)
    }

    static let malformedGrants: [(head: String, defect: ResponseDefect)] = [
        ("HTTP/1.1 101 X\r\r\nUpgrade: websocket\r\n\r\n", .bareCarriageReturn),
        ("HTTP/1.1 101 X\r\nUpgrade: websocket\r\r\n\r\n", .bareCarriageReturn),
        // Without CR LF CR LF, the end of such a head never arrives.
        ("HTTP/1.1 101 X\nUpgrade: websocket\nConnection: Upgrade\n\n", .bareLineFeed),
        ("HTTP/1.1 101 X\r\nUpgrade: websocket\n", .bareLineFeed),
        ("HTTP/1.1 103 X\nLink: a\n\n", .bareLineFeed),
        ("HTTP/1.1 101 X\0\r\n\r\n", .controlCharacter),
        ("HTTP/1.1 101 X\r\nUpgrade: web\u{1}socket\r\n\r\n", .controlCharacter),
        ("HTTP/1.1 101X\r\n\r\n", .statusLine),
        ("HTTP/1.1 101 X\r\nUpgrade : websocket\r\n\r\n", .spaceBeforeColon),
        ("HTTP/1.1 101 X\r\nUpgrade: websocket\r\n folded\r\n\r\n", .foldedField),
        ("HTTP/1.1 101 X\r\nUpgrade\r\n\r\n", .missingColon),
        ("HTTP/1.1 101 X\r\n: websocket\r\n\r\n", .fieldName),
    ]

    /// Each head is refused with its defect immediately, not after a timeout.
    @Test(.timeLimit(.minutes(1)), arguments: malformedGrants)
    func refusesAMalformedGrantImmediately(grant: (head: String, defect: ResponseDefect)) async throws {
        let error = try await failure { _ in .text(grant.head) } as? TransportError
        #expect(error?.code == .malformedResponse)
        #expect(error?.phase == .upgrading)
        #expect(error?.defect == grant.defect)
        // The result does not depend on the segmentation.
        let bytes = Array(grant.head.utf8)
        var reader = UpgradeReader()
        let byByte = #expect(throws: TransportError.self) {
            for place in bytes.indices {
                var piece = bytes[place...place]
                _ = try reader.next(&piece)
            }
        }
        #expect(byByte?.defect == grant.defect)
    }

    @Test func limitsTheSizeOfTheHead() async throws {
        let error = try await failure(
            limits: {
                var limits = TransportLimits(); limits.headBytes = 2000; return limits
            }()
        ) { _ in
            .text("HTTP/1.1 101 X\r\nX: " + String(repeating: "x", count: 10_000))
        }
        #expect((error as? TransportError)?.code == .malformedResponse)
    }

    @Test func reportsAServerThatClosesWithoutAnswering() async throws {
        let error = try await failure { _ in .init(bytes: [], closes: true) }
        #expect((error as? TransportError)?.code == .connectionClosed)
        #expect((error as? TransportError)?.phase == .upgrading)
    }

    @Test func missingResponseTimesOutInTheUpgradePhase() async throws {
        let error = try await failure(WebSocketOptions(upgradeTimeout: .milliseconds(1))) { _ in nil }
        #expect((error as? TransportError)?.code == .timedOut)
        #expect((error as? TransportError)?.phase == .upgrading)
    }

    @Test func cancellationEndsConnectImmediately() async throws {
        let (requests, gotRequest) = AsyncStream.makeStream(of: Void.self)
        let server = try await ScriptedServer.start { _ in
            gotRequest.yield()
            return nil
        }
        let url = "ws://127.0.0.1:\(server.port)/"
        let error = await #expect(throws: TransportError.self) {
            try await withThrowingTaskGroup { group in
                group.addTask { _ = try await WebSocketClient().connect(url) }
                _ = await requests.first { _ in true }
                group.cancelAll()
                try await group.waitForAll()
            }
        }
        #expect(error?.code == .cancelled)
        await server.stop()
    }

    @Test(arguments: [
        ("http://127.0.0.1/", TransportError.Code.invalidURL), ("chat.example", .invalidURL), ("wss://", .invalidURL),
        ("wss://user:password@chat.example/", .invalidURL), ("ws://127.0.0.1/#part", .invalidURL),
        ("ws://chat.example/", .cleartextRefused),
        ("ws://192.0.2.1/", .cleartextRefused),
    ])
    func refusesInvalidURLsBeforeDialling(url: String, code: TransportError.Code) async throws {
        let error = await #expect(throws: TransportError.self) { try await WebSocketClient().connect(url) }
        #expect(error?.code == code)
    }

    @Test func reportsARefusedConnection() async throws {
        try await RefusingPort.with { port in
            let url = "ws://127.0.0.1:\(port)/"
            let error = await #expect(throws: TransportError.self) { try await WebSocketClient().connect(url) }
            #expect(error?.code == .connectionRefused)
        }
    }
}
