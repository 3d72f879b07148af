import ArgumentParser
import HoldfastTransportTestSupport
import HoldfastWebSocket
import NIOCore
import Synchronization
import Testing

@testable import HoldfastTool

/// Runs `holdfast ws` with typed input.
@Suite("Tool: ws, at a prompt", .timeLimit(.minutes(1))) struct PromptTests {
    @Test func aConversation() async throws {
        try await WebSocketPeer.with { peer in
            let outcome = try await WebSocketRun.typing([peer.url]) { input, transcript in
                #expect(await transcript.said("/help lists the commands\n> "))
                input.type("Hello")
                #expect(await transcript.printed("< Hello\n"))
                input.type("//not a command")
                #expect(await transcript.printed("< /not a command\n"))
                input.type("/binary 00 ff")
                #expect(await transcript.printed("< 2 bytes: 00 ff\n"))
                #expect(await transcript.said("sent 2 bytes\n"))
                input.type("/ping")
                #expect(await transcript.said("pong after "))
                input.type("/nonsense")
                #expect(await transcript.said("there is no command /nonsense"))
                input.type("/file /missing")
                #expect(await transcript.said("cannot open '/missing'"))
                input.type("")
                input.type("/help")
                #expect(await transcript.said("/close [CODE [REASON]]"))
                input.type("/close 4001 bye")
            }
            #expect(outcome.status == .success)
            #expect(outcome.notes.hasSuffix("closed with 4001 (a code of this application)\n"), "\(outcome.notes)")
            let end = await peer.end()
            #expect(end?.code.rawValue == 4001 && end?.reason == "bye")
        }
    }

    @Test func theEndOfTheInputClosesAtOnce() async throws {
        try await WebSocketPeer.with { peer in
            let outcome = try await WebSocketRun.typing([peer.url, "--wait", "600"]) { input, transcript in
                #expect(await transcript.said("> "))
                input.end()
            }
            #expect(outcome.status == .success)
            #expect(await peer.end()?.code == .normal)
        }
    }

    /// The server closes the connection while the user could still type.
    @Test func serverClosesTheConnection() async throws {
        try await WebSocketPeer.with(service: { connection, _, _ in
            await connection.close(.goingAway, reason: "\u{1B}[2Jgone")
        }) { peer in
            let outcome = try await WebSocketRun.typing([peer.url]) { _, transcript in
                #expect(await transcript.said("closed with"))
            }
            #expect(outcome.status == .success)
            #expect(outcome.notes.hasSuffix("closed with 1001 (going away) by the server: \"\\u{1b}[2Jgone\"\n"))
        }
    }

    /// The server's text reaches the terminal only as text.
    @Test func aServerThatWritesToTheTerminal() async throws {
        let attack = "\u{1B}]0;owned\u{7}\u{1B}[2Jclosed with 1000\r\nclosed with 1000 (normal closure)\u{202E}"
        try await WebSocketPeer.with(service: { connection, _, channel in
            try? await channel.writeAndFlush(ByteBuffer(bytes: [0x89, 2, 0x1B, 0x63]))
            try? await connection.send(.text(attack))
            await connection.close()
        }) { peer in
            for arguments in [[], ["--json"], ["--frames"]] {
                let outcome = try await WebSocketRun.typing([peer.url] + arguments) { _, transcript in
                    #expect(
                        await arguments == ["--json"]
                            ? transcript.printed("\"closed\"") : transcript.said("closed with"))
                }
                #expect(outcome.status == .success)
                // The only escape sequence is the tool's own, which clears the prompt's line.
                let all = (outcome.output + outcome.notes).split(separator: "\r\u{1B}[K").joined()
                let bad = all.unicodeScalars.filter { $0.value < 0x20 && $0 != "\n" || $0 == "\u{202E}" }
                #expect(bad.isEmpty, "\(outcome.output)")
                let lines = outcome.output.split(separator: "\n")
                #expect(!lines.contains { $0.hasPrefix("closed") })
            }
        }
    }

    private static func call(_ url: String) throws -> WebSocketCommandRun {
        let command = try WebSocketCommand.parse([url])
        let target = try WebSocketTarget(url)
        let prober = try command.options.prober(trust: .system)
        return WebSocketCommandRun(
            target: target, prober: prober, configuration: try command.configuration(prober, for: target),
            options: try command.webSocketOptions(), plan: WebSocketPlan(isPrompt: true, takesCommands: true),
            showsFrames: false)
    }

    /// A closed terminal ends the run, and is not read again.
    @Test func closedTerminal() async throws {
        try await WebSocketPeer.with { peer in
            let transcript = Transcript(isInteractive: true)
            let base = transcript.console
            let reads = Mutex(0)
            let console = Console(
                output: base.output, notes: base.notes,
                input: { _ in
                    reads.withLock { $0 += 1 }
                    throw ToolError("Input/output error")
                }, isInteractive: true, inputIsTerminal: true, outputIsTerminal: true)
            #expect(await ToolRun(console: console).run(["ws", peer.url]) == .unusableInput)
            #expect(transcript.notes.hasSuffix("holdfast: standard input: Input/output error\n"), "\(transcript.notes)")
            #expect(reads.withLock(\.self) == 1)
            #expect(await peer.end()?.code == .goingAway)
        }
    }

    /// A server that accepts the connection without answering does not delay an interruption.
    @Test(arguments: [false, true])
    func anInterruptionWhileConnecting(asJSON: Bool) async throws {
        try await ScriptedServer.with(ScriptedServer.Settings()) { server in
            let transcript = Transcript()
            var call = try Self.call("ws://127.0.0.1:\(server.port)/")
            call.interruption = {}
            let screen = EventTerminal<WebSocketEvent>(console: transcript.console, asJSON: asJSON) { .zero }
            let running = call
            let error = await #expect(throws: ToolError.self) {
                try await running.run(screen, InputLines(limit: 99) { _ in [] })
            }
            #expect(
                error?.status == .failure && error?.sentence.hasSuffix("[interrupted]") == true,
                "\(String(describing: error))")
            let events = try WebSocketRun.events(
                ToolOutcome(status: .failure, output: transcript.output, notes: transcript.notes))
            #expect(events.map(\.event) == (asJSON ? ["failed"] : []))
            #expect(events.map(\.code) == (asJSON ? [.name("interrupted")] : []))
            #expect(events.allSatisfy { $0.exitCode == 1 })
        }
    }

    @Test func theEndOfARunByASignal() async throws {
        try await WebSocketPeer.with { peer in
            let transcript = Transcript(isInteractive: true)
            let input = TypedInput()
            defer { input.end() }
            let signal = Trigger()
            var call = try Self.call(peer.url)
            call.interruption = { while !signal.hasFired, !Task.isCancelled { await Task.yield() } }
            let screen = EventTerminal<WebSocketEvent>(console: transcript.console, asJSON: false) { .zero }
            let running = call
            async let run: Void = running.run(screen, InputLines(limit: 99) { input.read($0) })
            #expect(await transcript.said("/help lists the commands\n"))
            signal.fire()
            try await run
            #expect(transcript.notes.hasSuffix("closed with 1001 (going away)\n"))
            #expect(await peer.end()?.code == .goingAway)
        }
    }
}
