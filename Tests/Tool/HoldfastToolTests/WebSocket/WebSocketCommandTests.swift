import HTTPTypes
import HoldfastWebSocket
import NIOCore
import Testing

@testable import HoldfastTool

/// Runs `holdfast ws` in a pipe, with servers on loopback.
@Suite("Tool: ws, in a pipe", .timeLimit(.minutes(1))) struct WebSocketCommandTests {
    @Test func sendsLinesAndPrintsAnswers() async throws {
        try await WebSocketPeer.with { peer in
            let outcome = await WebSocketRun.of(peer.url, "--count", "3", input: "Hello\n\n/ping\n")
            #expect(outcome.status == .success)
            #expect(outcome.output == "Hello\n\n/ping\n")
            #expect(outcome.notes.contains("connected to 127.0.0.1:\(peer.port), without TLS\n"))
            #expect(outcome.notes.hasSuffix("closed with 1000 (normal closure)\n"))
            #expect(await peer.end() == WebSocketClosure(code: .normal, initiator: .remote, isClean: true))
        }
    }

    @Test func json() async throws {
        try await WebSocketPeer.with { peer in
            let outcome = await WebSocketRun.of(
                peer.url, "--json", "--count", "2", "--commands", input: "Grüße\n/binary 00ff80\n")
            #expect(outcome.status == .success && outcome.notes.isEmpty, "\(outcome.notes)")
            let events = try WebSocketRun.events(outcome)
            #expect(events.first?.event == "connected" && events.first?.deflate == false)
            #expect(events.filter { $0.event == "sent" }.map(\.bytes) == [7, 3])
            let messages = events.filter { $0.event == "message" }
            #expect(messages.map(\.kind) == ["text", "binary"])
            #expect(messages.first?.text == "Grüße" && messages.last?.base64 == "AP+A")
            let end = try #require(events.last)
            #expect(end.event == "closed" && end.code == .number(1000) && end.by == "client" && end.clean == true)
            #expect(end.exitCode == 0 && end.missing == 0)
            #expect(zip(events, events.dropFirst()).allSatisfy { $0.atMicros <= $1.atMicros })
        }
    }

    @Test func theEndOfTheInputCloses() async throws {
        try await WebSocketPeer.with { peer in
            let outcome = await WebSocketRun.of(peer.url, "--wait", "0")
            #expect(outcome.status == .success && outcome.output.isEmpty)
            #expect(await peer.end()?.code == .normal)
        }
    }

    /// Missing messages are a failure.
    @Test func missingAnswers() async throws {
        let silent: WebSocketPeer.Service = { connection, _, _ in
            do { for try await _ in connection.messages {} } catch {}
        }
        try await WebSocketPeer.with(service: silent) { peer in
            let outcome = await WebSocketRun.of(peer.url, "--count", "2", "--wait", "0.01", input: "a\nb\n")
            #expect(outcome.status == .failure)
            #expect(outcome.notes.contains("2 of the messages requested by --count did not come\n"))
        }
    }

    /// A server that continues to send does not prevent the end of a run.
    @Test func moreMessagesThanCount() async throws {
        let talker: WebSocketPeer.Service = { connection, _, _ in
            do { while true { try await connection.send(.binary(Array(repeating: 1, count: 10_000))) } } catch {}
        }
        try await WebSocketPeer.with(service: talker) { peer in
            let outcome = await WebSocketRun.of(peer.url, "--count", "2")
            #expect(outcome.status == .success && outcome.lines.count == 2, "\(outcome.notes)")
            #expect(await peer.end()?.code == .normal)
        }
    }

    @Test func commandsInAPipe() async throws {
        try await WebSocketPeer.with { peer in
            let folder = try TemporaryFolder()
            let file = try folder.file("data", Array(repeating: 0xAB, count: 200_000))
            let outcome = await WebSocketRun.of(
                peer.url, "--commands", "--json", input: "//x\n\n/ping\n/file \(file)\n/close 4000 that is all\n")
            #expect(outcome.status == .success)
            let events = try WebSocketRun.events(outcome)
            #expect(events.filter { $0.event == "sent" }.map(\.bytes) == [2, 200_000])
            #expect(events.contains { $0.event == "pong" && $0.durationMicros != nil })
            #expect(events.last?.code == .number(4000))
            let end = await peer.end()
            #expect(end?.code.rawValue == 4000 && end?.reason == "that is all")
        }
    }

    @Test(arguments: [
        ("/nothing\n", "line 1 of the input: there is no command /nothing"),
        ("Hello\n/file /missing/file\n", "line 2 of the input: cannot open '/missing/file'"),
        ("/close 1006\n", "line 1 of the input: 1006 is not a valid close code"),
    ])
    func unusableCommands(input: String, words: String) async throws {
        try await WebSocketPeer.with { peer in
            let outcome = await WebSocketRun.of(peer.url, "--commands", input: input)
            #expect(outcome.status == .unusableInput)
            #expect(outcome.notes.contains(words), "\(outcome.notes)")
            #expect(await peer.end()?.code == .goingAway)
        }
    }

    @Test func textsAreUTF8() async throws {
        try await WebSocketPeer.with { peer in
            let transcript = Transcript(input: [0x41, 0x0A, 0xFF, 0x0A])
            let status = await ToolRun(console: transcript.console).run(["ws", peer.url])
            #expect(status == .unusableInput)
            #expect(transcript.notes.contains("line 2 of the input: it is not valid UTF-8"))
        }
    }

    @Test func inputThatCannotBeRead() async throws {
        try await WebSocketPeer.with { peer in
            let transcript = Transcript()
            let base = transcript.console
            let console = Console(
                output: base.output, notes: base.notes, input: { _ in throw ToolError("Input/output error") })
            #expect(await ToolRun(console: console).run(["ws", peer.url]) == .unusableInput)
            #expect(transcript.notes.contains("holdfast: standard input: Input/output error\n"), "\(transcript.notes)")
            #expect(await peer.end()?.code == .goingAway)
        }
    }

    /// The output is closed, as by `| head`.
    @Test func closedOutput() async throws {
        try await WebSocketPeer.with { peer in
            let base = Transcript(input: Array("Hello\n".utf8)).console
            let console = Console(
                output: { _ in throw ToolError("Broken pipe") }, notes: base.notes, input: base.input)
            #expect(await ToolRun(console: console).run(["ws", peer.url, "--count", "5"]) == .unusableInput)
            #expect(await peer.end()?.code == .goingAway)
        }
    }

    @Test func upgradeOptions() async throws {
        let folder = try TemporaryFolder()
        let fields = try folder.file("fields", "Authorization: Bearer hunter2\n")
        let service: WebSocketPeer.Service = { connection, request, _ in
            let values = ["Origin", "Authorization"].map { name in
                HTTPField.Name(name).flatMap { request.headers[$0] } ?? "none"
            }
            do {
                try await connection.send(.text(values.joined(separator: " ")))
                for try await _ in connection.messages {}
            } catch {}
        }
        let options = WebSocketServerOptions(keepAlive: nil, deflate: WebSocketDeflate())
        try await WebSocketPeer.with(
            options: options, decide: { _ in .accept(subprotocol: "b") }, service: service
        ) { peer in
            let outcome = await WebSocketRun.of(
                peer.url, "--header", "Origin: https://a.example", "--header", "@" + fields, "--subprotocol", "a",
                "--subprotocol", "b", "--deflate", "--count", "1")
            #expect(outcome.output == "https://a.example Bearer hunter2\n")
            #expect(outcome.notes.contains("subprotocol b, deflate\n"))
            #expect(!outcome.notes.contains("hunter2"))
        }
    }

    @Test func frames() async throws {
        let service: WebSocketPeer.Service = { connection, request, channel in
            try? await channel.writeAndFlush(ByteBuffer(bytes: [0x89, 2, 0x68, 0x69]))
            await WebSocketPeer.echo(connection, request, channel)
        }
        try await WebSocketPeer.with(service: service) { peer in
            let outcome = await WebSocketRun.of(peer.url, "--frames", "--json", "--count", "1", input: "Hello\n")
            let frames = try WebSocketRun.events(outcome).filter { $0.event == "frame" }
            func names(_ direction: String) -> [String?] { frames.filter { $0.direction == direction }.map(\.opcode) }
            #expect(names("in") == ["ping", "text", "close"])
            #expect(Set(names("out")) == ["pong", "text", "close"] && names("out").count == 3)
            let quiet = await WebSocketRun.of(peer.url, "--count", "1", input: "Hello\n")
            #expect(quiet.notes.contains("ping from the server: \"hi\"\n"))
        }
    }
}
