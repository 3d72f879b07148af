import Foundation
import HoldfastSystem
import HoldfastTestSupport
import HoldfastTransportTestSupport
import Synchronization
import Testing

@testable import HoldfastTool

/// Output files of `holdfast get`: downloads, resumption, and outputs that cannot be written.
@Suite("Tool: get, output", .timeLimit(.minutes(1))) struct GetOutputTests {
    private let stage: GetStage
    private static let payload = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }

    init() throws { stage = try GetStage() }

    /// Runs the command with a server and this output file.
    private func get(_ server: ScriptedServer, _ arguments: String...) async -> ToolOutcome {
        await GetStage.run(["http://127.0.0.1:\(server.port)/map", "--output", stage.path("map")] + arguments)
    }

    @Test func savesTheBody() async throws {
        try await ScriptedServer.with {
            GetFileServer(payload: Self.payload)($0)
        } _: { server in
            let outcome = await get(server, "--include")
            #expect(outcome.status == .success, "\(outcome.notes)")
            #expect(outcome.output.hasPrefix("HTTP/1.1 200\nContent-Length: 200000\n"))
            #expect(outcome.notes == "\(stage.path("map")): 200000 bytes\n")
            #expect(stage.contents("map") == Self.payload)
            #expect(stage.names == ["map"])
        }
    }

    @Test func anExistingFileIsRefused() async throws {
        _ = try stage.folder.file("map", "precious")
        try await ScriptedServer.with {
            GetFileServer(payload: Self.payload)($0)
        } _: { server in
            for arguments in [[], ["--data", "x"], ["--compressed"]] {
                let outcome = await GetStage.run(
                    ["http://127.0.0.1:\(server.port)/", "--output", stage.path("map")] + arguments)
                #expect(outcome.status == .outputExists && outcome.notes.contains("[outputExists]"))
                #expect(outcome.notes.contains("hint: --force replaces it"), "\(outcome.notes)")
            }
            // Nothing was requested.
            #expect(server.connectionCount == 0 && stage.contents("map") == Array("precious".utf8))
            #expect(await get(server, "--force").status == .success)
            #expect(stage.contents("map") == Self.payload)
            let posted = await get(server, "--force", "--data", "x")
            #expect(posted.status == .success && stage.contents("map") == Self.payload, "\(posted.notes)")
            #expect(stage.names == ["map"])
        }
    }

    /// A file that appears during a download is not replaced. The download is complete, and `--continue` replaces it.
    @Test func aFileThatAppearsDuringADownloadIsNotReplaced() async throws {
        let folder = stage.folder
        try await ScriptedServer.with { request in
            if request.connection == 0 { _ = try? folder.file("map", "precious") }
            return GetFileServer(payload: Self.payload)(request)
        } _: { server in
            let outcome = await get(server)
            #expect(outcome.status == .outputExists && outcome.notes.contains("[outputExists]"), "\(outcome.notes)")
            #expect(stage.contents("map") == Array("precious".utf8))
            #expect(stage.contents(".map.download") == Self.payload)
            #expect(await get(server).status == .outputExists)
            let continued = await get(server, "--continue")
            #expect(continued.status == .success, "\(continued.notes)")
            #expect(stage.contents("map") == Self.payload)
            #expect(stage.names == ["map"])
        }
    }

    /// A file that appears during another request is not replaced.
    @Test func aFileThatAppearsIsNotReplaced() async throws {
        let folder = stage.folder
        try await ScriptedServer.with { _ in
            _ = try? folder.file("map", "precious")
            return [.respond("body")]
        } _: { server in
            let outcome = await get(server, "--data", "x")
            #expect(outcome.status == .outputExists, "\(outcome.notes)")
            #expect(stage.contents("map") == Array("precious".utf8))
            #expect(stage.names == ["map"])
        }
    }

    @Test func json() async throws {
        try await ScriptedServer.with {
            GetFileServer(payload: Self.payload)($0)
        } _: { server in
            let wrong = String(repeating: "0", count: 64)
            let refused = await get(server, "--json", "--sha256", wrong)
            let failure = try GetStage.object(refused)
            #expect(refused.status == .contentChanged && failure.failure?.code == "checksumMismatch")
            let found = try #require(failure.failure?.reason.split(separator: " ").last.map(String.init))
            #expect(found.count == 64 && failure.failure?.reason.contains("expected \(wrong)") == true)
            #expect(stage.names.isEmpty)
            // The printed digest is the right one.
            let object = try GetStage.object(await get(server, "--json", "--sha256", found.uppercased()))
            #expect(object.exitCode == 0 && object.bytes == 200_000 && object.resumedAt == 0 && object.body == nil)
            #expect(object.file == stage.path("map"))
            #expect(object.verified?.map(\.algorithm) == ["sha-256"] && object.verified?.first?.digest == found)
        }
    }

    /// `--force` replaces the file. It does not change a request that is not a download.
    @Test(arguments: [["--compressed"], ["--method", "PUT"], ["--data", "x"]])
    func replacingAFileSendsTheRangeOfTheUser(options: [String]) async throws {
        _ = try stage.folder.file("map", "old")
        try await ScriptedServer.with { _ in
            [.respond("body")]
        } _: { server in
            let outcome = await GetStage.run(
                [
                    "http://127.0.0.1:\(server.port)/map", "--output", stage.path("map"), "--force", "--header",
                    "Range: bytes=0-99",
                ] + options)
            #expect(outcome.status == .success, "\(outcome.notes)")
            #expect(server.requests.last?.field("Range") == "bytes=0-99")
            #expect(stage.contents("map") == Array("body".utf8))
        }
    }

    // MARK: Resumption

    @Test func anUnfinishedDownloadResumes() async throws {
        try await resuming { server, _, received in
            // The record names the URL, which is another one here: the bytes cannot be resumed, and are kept.
            let count = server.requests.count
            let other = await GetStage.run(
                ["http://127.0.0.1:\(server.port)/other", "--output", stage.path("map"), "--continue"])
            #expect(other.status == .contentChanged && server.requests.count == count, "\(other.notes)")
            #expect(other.notes.contains("belongs to another request"), "\(other.notes)")
            #expect(stage.contents(".map.download")?.count == received)

            let outcome = await get(server, "--continue")
            #expect(outcome.status == .success, "\(outcome.notes)")
            #expect(outcome.notes == "resuming after \(received) bytes\n\(stage.path("map")): 200000 bytes\n")
            #expect(server.requests.last?.field("Range") == "bytes=\(received)-")
            #expect(stage.contents("map") == Self.payload)
            #expect(stage.names == ["map"])
        }
    }

    /// Runs `body` with a server from which the beginning of the file was downloaded, and the number of received bytes.
    /// Changing the state changes the responses.
    private func resuming(_ body: @Sendable (ScriptedServer, Box, Int) async throws -> Void) async throws {
        let box = Box(GetFileServer(payload: Self.payload, cut: 20_000))
        try await ScriptedServer.with {
            box.state.withLock(\.self)($0)
        } _: { server in
            let outcome = await get(server, "--retries", "0")
            #expect(outcome.status == .exchangeFailed && outcome.notes.contains("[connectionClosed]"))
            #expect(stage.names == [".map.download", ".map.download.json"])
            let received = try #require(stage.contents(".map.download")?.count)
            try #require(received > 0)
            box.state.withLock { $0.cut = nil }
            try await body(server, box, received)
        }
    }

    private final class Box: Sendable {
        let state: Mutex<GetFileServer>

        init(_ server: GetFileServer) { state = Mutex(server) }
    }

    @Test func anUnfinishedDownloadIsNotDiscarded() async throws {
        try await resuming { server, _, received in
            let count = server.requests.count
            let outcome = await get(server)
            #expect(outcome.status == .outputExists && outcome.notes.contains("[unfinished]"), "\(outcome.notes)")
            #expect(server.requests.count == count && stage.contents(".map.download")?.count == received)
            let forced = await get(server, "--force")
            #expect(forced.status == .success && server.requests.last?.field("Range") == nil, "\(forced.notes)")
            #expect(forced.notes == "\(stage.path("map")): 200000 bytes\n")
            #expect(stage.contents("map") == Self.payload)
        }
    }

    /// The file has changed on the server. The received bytes are neither extended by other bytes nor lost.
    @Test(arguments: [false, true]) func aChangedFileIsNotResumed(ignoresCondition: Bool) async throws {
        try await resuming { server, box, received in
            box.state.withLock { state in
                state.tag = "\"v2\""
                state.payload = Self.payload.reversed()
                // A server that sends the range of another file, although it must not.
                state.ignoresCondition = ignoresCondition
            }
            let outcome = await get(server, "--continue")
            #expect(outcome.status == .contentChanged && outcome.notes.contains("[contentChanged]"))
            #expect(outcome.notes.contains("hint: the received bytes are kept; --force"), "\(outcome.notes)")
            #expect(stage.contents(".map.download")?.count == received && stage.contents("map") == nil)
            #expect(await get(server, "--force").status == .success)
            #expect(stage.contents("map") == Self.payload.reversed())
        }
    }

    @Test func aServerWithoutRangesIsNotResumed() async throws {
        try await resuming { server, box, received in
            box.state.withLock { $0.servesRanges = false }
            let outcome = await get(server, "--continue")
            #expect(outcome.status == .contentChanged, "\(outcome.notes)")
            #expect(outcome.notes.contains("sent the whole file instead of the missing bytes"), "\(outcome.notes)")
            #expect(stage.contents(".map.download")?.count == received)
        }
    }

    /// An invalid response, or a limit that is too low, keeps the received bytes.
    @Test(arguments: ["malformedField", "rangeMismatch", "codedBody", "tooLarge"])
    func anErrorKeepsTheReceivedBytes(code: String) async throws {
        try await resuming { server, box, received in
            box.state.withLock { state in
                switch code {
                case "malformedField": state.wrongRange = "bytes x-y/z"
                case "rangeMismatch": state.wrongRange = "bytes 0-199999/200000"
                case "codedBody": state.fields = ["Content-Encoding: gzip"]
                default: break
                }
            }
            let limit = code == "tooLarge" ? "1000" : "1000000"
            let outcome = await get(server, "--continue", "--max-size", limit)
            #expect(outcome.status == .exchangeFailed && outcome.notes.contains("[\(code)]"), "\(outcome.notes)")
            #expect(stage.contents(".map.download")?.count == received && stage.contents("map") == nil)
            box.state.withLock { state in
                state.wrongRange = nil
                state.fields = []
            }
            let resumed = await get(server, "--continue")
            #expect(resumed.notes.contains("resuming after \(received) bytes\n"), "\(resumed.notes)")
            #expect(resumed.status == .success && stage.contents("map") == Self.payload)
        }
    }

    /// Bytes with a wrong digest are useless, so a repeated run starts again.
    @Test func aWrongDigestDeletesTheReceivedBytes() async throws {
        try await resuming { server, _, _ in
            let outcome = await get(server, "--continue", "--sha256", String(repeating: "0", count: 64))
            #expect(outcome.status == .contentChanged && outcome.notes.contains("[checksumMismatch]"))
            #expect(stage.names.isEmpty)
        }
    }

    /// The connection is lost once; the same run continues.
    @Test func aLostConnectionContinues() async throws {
        let requests = Mutex(0)
        try await ScriptedServer.with { request in
            let count = requests.withLock { count in
                count += 1
                return count
            }
            return GetFileServer(payload: Self.payload, cut: count == 1 ? 150_000 : nil)(request)
        } _: { server in
            let outcome = await get(server)
            #expect(outcome.status == .success && stage.contents("map") == Self.payload, "\(outcome.notes)")
            #expect(outcome.notes.contains("; continuing in "), "\(outcome.notes)")
        }
    }

    // MARK: Outputs that cannot be written

    @Test func unusableOutputs() async throws {
        try await ScriptedServer.with { _ in
            [.respond("body")]
        } _: { server in
            for (path, words) in [
                (stage.folder.path, "is a folder"), (stage.path("missing/f"), "No such file or directory"),
                (stage.path("f/"), "is a folder"),
            ] {
                for arguments in [[], ["--data", "x"]] {
                    let outcome = await GetStage.run(
                        ["http://127.0.0.1:\(server.port)/", "--output", path] + arguments)
                    #expect(outcome.status == .outputFailed, "\(outcome.notes)")
                    #expect(outcome.notes.contains(words), "\(outcome.notes)")
                }
            }
            #expect(server.requests.isEmpty)
        }
    }

    /// A device is written, and never replaced by a file.
    @Test func devices() async throws {
        try await ScriptedServer.with { _ in
            [.respond("body")]
        } _: { server in
            let outcome = await GetStage.run(server, "/", "--output", "/dev/null")
            #expect(outcome.status == .success && outcome.notes == "/dev/null: 4 bytes\n")
            #expect(GetFileServer.isDevice("/dev/null"))
            let count = server.requests.count
            for output in ["/dev/null", "-"] {
                for option in ["--continue", "--force"] {
                    let refused = await GetStage.run(server, "/", "--output", output, option)
                    #expect(refused.status == .usage, "\(refused.notes)")
                    #expect(refused.notes.contains("need a regular file"), "\(refused.notes)")
                }
            }
            #expect(server.requests.count == count)
            #if os(Linux)
            let full = await GetStage.run(server, "/", "--output", "/dev/full")
            #expect(full.status == .outputFailed && full.notes.contains("[diskFull]"), "\(full.notes)")
            #expect(full.notes.contains("'/dev/full' cannot be written: No space left on device"), "\(full.notes)")
            #expect(GetFileServer.isDevice("/dev/full"))
            #endif
        }
    }

    /// Runs the command with a standard output that fails with a system error.
    private func run(_ server: ScriptedServer, failing number: Int32, _ arguments: [String] = []) async -> ToolOutcome {
        let transcript = Transcript()
        let base = transcript.console
        let console = Console(output: { _ in throw ToolError(SystemError(number)) }, notes: base.notes)
        let status = await ToolRun(console: console).run(["get", "http://127.0.0.1:\(server.port)/"] + arguments)
        return ToolOutcome(status: status, output: transcript.output, notes: transcript.notes)
    }

    /// `holdfast get URL > file` on a full disk, and `holdfast get URL | head`.
    @Test func standardOutputFails() async throws {
        try await ScriptedServer.with { _ in
            [.respond("body")]
        } _: { server in
            for arguments in [[], ["--json"], ["--include"]] {
                let full = await run(server, failing: ENOSPC, arguments)
                #expect(full.status == .outputFailed, "\(full.notes)")
                #expect(full.notes.hasSuffix("standard output cannot be written: No space left on device [diskFull]\n"))
            }
            let closed = await run(server, failing: EPIPE)
            #expect(closed.status == .unusableInput && closed.notes == "holdfast: standard output: Broken pipe\n")
        }
    }

    // MARK: Progress and terminals

    @Test func progressIsForTerminalsOnly() async throws {
        try await ScriptedServer.with {
            GetFileServer(payload: Self.payload)($0)
        } _: { server in
            #expect(await !get(server).notes.contains("%"))
            let transcript = Transcript(isInteractive: true)
            let status = await ToolRun(console: transcript.console).run(
                ["get", "http://127.0.0.1:\(server.port)/map", "--output", stage.path("map"), "--force"])
            #expect(status == .success && transcript.notes.contains("map ["), "\(transcript.notes)")
            #expect(transcript.notes.hasSuffix("\r\u{1B}[K\(stage.path("map")): 200000 bytes\n"), "\(transcript.notes)")
        }
    }

    @Test func progressIsDrawnSeldom() {
        let transcript = Transcript(isInteractive: true)
        let time = Mutex(ContinuousClock.now)
        let screen = GetScreen(console: transcript.console, showsProgress: true) { time.withLock(\.self) }
        for done in 0..<5 { screen.show(ProgressLine(label: "a", done: Int64(done) << 10, total: nil)) }
        time.withLock { $0 += .milliseconds(100) }
        screen.show(ProgressLine(label: "a", done: 9 << 10, total: nil))
        screen.note("line")
        screen.removeProgress()
        #expect(transcript.notes.components(separatedBy: "KiB").count == 4, "\(transcript.notes)")
        #expect(transcript.notes.contains("9 KiB") && !transcript.notes.contains("4 KiB"))
    }

    private func runAtTerminal(_ body: [UInt8]) async throws -> ToolOutcome {
        try await ScriptedServer.with { _ in
            [.text("HTTP/1.1 200 OK\nX: \u{9B}\nContent-Length: \(body.count)\n\n"), .send(body)]
        } _: { server in
            let transcript = Transcript()
            let base = transcript.console
            let console = Console(output: base.output, notes: base.notes, outputIsTerminal: true)
            let status = await ToolRun(console: console).run(
                ["get", "http://127.0.0.1:\(server.port)/", "--include"])
            return ToolOutcome(status: status, output: transcript.output, notes: transcript.notes)
        }
    }

    /// A server cannot move the cursor of a terminal, or change its title.
    @Test func aTerminalGetsNoControlCharacters() async throws {
        let outcome = try await runAtTerminal(Array("Grüße\r\n\u{1B}]0;title\u{7}\tend\n".utf8))
        #expect(outcome.status == .success && outcome.notes.isEmpty, "\(outcome.notes)")
        #expect(outcome.output.hasSuffix("\n\nGrüße\n\\u{1b}]0;title\\u{7}\tend\n"), "\(outcome.output)")
        #expect(!outcome.output.contains("\u{9B}"))
    }

    @Test(arguments: [[0x41, 0x00], [0xFF, 0xD8], [0x41, 0xC3]] as [[UInt8]])
    func aTerminalGetsNoBinaryData(_ body: [UInt8]) async throws {
        let outcome = try await runAtTerminal(body)
        #expect(outcome.status == .outputFailed && outcome.notes.contains("[binary]"), "\(outcome.notes)")
        #expect(outcome.notes.contains("hint: --output FILE"))
    }

    /// Characters and line breaks that two parts share.
    @Test func partsOfABody() throws {
        let bytes = Array("a\r\nü€🎉\r\rb\r".utf8)
        for size in 1...bytes.count {
            var body = TerminalBody()
            var text = ""
            for start in stride(from: 0, to: bytes.count, by: size) {
                text += try body.text(Array(bytes[start..<min(start + size, bytes.count)]))
            }
            text += try body.end()
            #expect(text == "a\nü€🎉\n\nb\n", "\(size)")
        }
    }
}

extension GetFileServer {
    /// Returns whether the path is a character device.
    static func isDevice(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFCHR
    }
}
