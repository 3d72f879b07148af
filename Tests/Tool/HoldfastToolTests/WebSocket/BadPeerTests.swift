import HTTPTypes
import HoldfastTransportTestSupport
import HoldfastWebSocket
import NIOCore
import Testing

@testable import HoldfastTool

/// Servers that violate the protocol or close the connection.
@Suite("Tool: ws, bad servers", .timeLimit(.minutes(1))) struct BadPeerTests {
    private static func run(
        _ service: @escaping WebSocketPeer.Service, _ arguments: String...
    ) async throws -> (outcome: ToolOutcome, end: WebSocketRun.Event) {
        try await WebSocketPeer.with(service: service) { peer in
            let transcript = Transcript()
            let status = await ToolRun(console: transcript.console).run(
                ["ws", peer.url, "--json", "--wait", "600"] + arguments)
            let outcome = ToolOutcome(status: status, output: transcript.output, notes: transcript.notes)
            return (outcome, try #require(try WebSocketRun.events(outcome).last))
        }
    }

    @Test func aReservedOpcode() async throws {
        let (outcome, end) = try await Self.run { _, _, channel in
            try? await channel.writeAndFlush(ByteBuffer(bytes: [0x83, 0]))
            try? await channel.closeFuture.get()
        }
        #expect(outcome.status == .failure && end.exitCode == 1)
        #expect(end.event == "closed" && end.code == .number(1002) && end.clean == false)
        #expect(end.fault?.code == "protocolViolation" && end.fault?.violation == "reservedOpcode")
    }

    @Test func invalidText() async throws {
        let (outcome, end) = try await Self.run { _, _, channel in
            try? await channel.writeAndFlush(ByteBuffer(bytes: [0x81, 2, 0xC0, 0x80]))
            try? await channel.closeFuture.get()
        }
        #expect(outcome.status == .failure)
        #expect(end.code == .number(1007) && end.fault?.violation == "invalidUTF8")
    }

    @Test func aConnectionThatBreaks() async throws {
        let (outcome, end) = try await Self.run { _, _, channel in try? await channel.close() }
        #expect(outcome.status == .failure)
        #expect(end.code == .number(1006) && end.fault?.code == "connectionLost" && end.clean == false)
    }

    @Test func aMessageAboveTheLimit() async throws {
        let service: WebSocketPeer.Service = { connection, _, _ in
            do {
                try await connection.send(.text("0123456789"))
                try await connection.send(.text("0123456789a"))
                for try await _ in connection.messages {}
            } catch {}
        }
        let (outcome, end) = try await Self.run(service, "--max-message-size", "10")
        #expect(outcome.status == .failure)
        #expect(try WebSocketRun.events(outcome).filter { $0.event == "message" }.map(\.text) == ["0123456789"])
        #expect(end.code == .number(1009) && end.fault?.code == "limitExceeded")
    }

    @Test(arguments: [(1000, 0), (1001, 0), (1008, 1), (1013, 1), (4001, 1)] as [(UInt16, Int32)])
    func codesOfTheServer(code: UInt16, status: Int32) async throws {
        let (outcome, end) = try await Self.run { connection, _, _ in
            await connection.close(WebSocketCloseCode(rawValue: code) ?? .noStatus, reason: "so it is")
        }
        #expect(outcome.status.rawValue == status)
        #expect(end.code == .number(Int(code)) && end.by == "server" && end.clean == true && end.fault == nil)
    }

    @Test func refusedUpgrade() async throws {
        let decide: @Sendable (WebSocketUpgradeRequest) -> WebSocketDecision = { request in
            .reject(
                WebSocketRejection(
                    status: 401,
                    headers: [
                        .wwwAuthenticate: "Bearer", .setCookie: "session=hunter2",
                        // The location repeats the received query, as a redirect to a login does. The combining mark
                        // turns the first '?' into another character.
                        .location: "https://a.example/login?\u{301}" + request.target.drop { $0 != "?" } + "#hunter2",
                    ], reason: "not \u{1B}[31myou"))
        }
        try await WebSocketPeer.with(decide: decide) { peer in
            let url = peer.url + "?token=hunter2"
            let header = ["--header", "Authorization: Bearer hunter2"]
            for format in [[], ["--json"]] {
                let transcript = Transcript()
                let status = await ToolRun(console: transcript.console).run(["ws", url] + header + format)
                #expect(status == .failure)
                let all = transcript.output + transcript.notes
                #expect(all.contains("401") && all.contains("--header") && all.contains("Bearer"))
                #expect(all.contains("https://a.example/login?…"), "\(all)")
                #expect(!all.contains("hunter2") && !all.contains("\u{1B}"), "\(all)")
                guard !format.isEmpty else { continue }
                let events = try WebSocketRun.events(
                    ToolOutcome(status: status, output: transcript.output, notes: transcript.notes))
                #expect(events.count == 1 && events.first?.event == "failed" && events.first?.status == 401)
                #expect(events.first?.code == .name("upgradeRefused") && events.first?.exitCode == 1)
            }
        }
    }

    /// The credential is for the proxy if the proxy requests it.
    @Test func proxyThatNeedsACredential() async throws {
        let answer = "HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n"
        let hint = "with --proxy http://USER:PASSWORD@HOST:PORT"
        try await ScriptedProxy.with([.awaitHead, .text(answer)]) { proxy in
            let outcome = await WebSocketRun.of("wss://a.example/", "--proxy", "http://127.0.0.1:\(proxy.port)")
            #expect(outcome.status == .unreachable && outcome.notes.contains("[proxyFailed]"), "\(outcome.notes)")
            #expect(outcome.notes.contains(hint), "\(outcome.notes)")
            // A server cannot cause this hint.
            let direct = await WebSocketRun.of("ws://127.0.0.1:\(proxy.port)/")
            #expect(direct.status == .failure && !direct.notes.contains("--proxy"), "\(direct.notes)")
        }
    }

    @Test func invalidUpgradeResponse() async throws {
        try await ScriptedServer.with { _ in
            [.text("HTTP/1.1 101 Switching Protocols\nUpgrade: websocket\nConnection: Upgrade\n\n")]
        } _: { server in
            let outcome = await WebSocketRun.of("ws://127.0.0.1:\(server.port)/")
            #expect(outcome.status == .failure)
            #expect(outcome.notes.contains("Sec-WebSocket-Accept"), "\(outcome.notes)")
            #expect(outcome.notes.contains("[invalidUpgrade]"), "\(outcome.notes)")
        }
    }

    @Test func serverClosesDuringUpgrade() async throws {
        try await ScriptedServer.with { _ in
            [.cut]
        } _: { server in
            let outcome = await WebSocketRun.of("ws://127.0.0.1:\(server.port)/")
            #expect(outcome.status == .failure)
            #expect(outcome.notes.contains("[connectionClosed]"), "\(outcome.notes)")
        }
    }

    @Test func unreachableServer() async throws {
        let outcome = try await RefusingPort.with { await WebSocketRun.of("ws://127.0.0.1:\($0)/", "--json") }
        #expect(outcome.status == .unreachable)
        let failed = try #require(try WebSocketRun.events(outcome).first)
        #expect(failed.event == "failed" && failed.code == .name("connectionRefused") && failed.exitCode == 3)
    }
}
