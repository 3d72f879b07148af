import Foundation
import HoldfastTrust
import Logging
import Testing

@testable import HoldfastTool

/// The log lines of servers.
@Suite("Tool: log of servers", .timeLimit(.minutes(1))) struct ServerLogTests {
    private struct Ready: Decodable {
        var event: String
    }

    private func lines(_ transcript: Transcript) throws -> [[String: Any]] {
        try transcript.notes.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any], "\($0)")
        }
    }

    @Test(arguments: ["collector", "chat"]) func everyLineOfARunIsAnObject(_ server: String) async throws {
        let arguments = ["--log-format", "json"] + (server == "chat" ? ["--in-memory"] : [])
        let transcript = try await Serving.with(server, arguments) { (ready: Ready, _) in
            #expect(ready.event == "listening")
        }
        let lines = try lines(transcript)
        #expect(lines.compactMap { $0["event"] as? String }.first == "listening")
        #expect(lines.compactMap { $0["event"] as? String }.last == "stopped")
        for line in lines {
            #expect(line["server"] as? String == server)
            #expect(line["level"] as? String != nil)
            let time = try #require(line["time"] as? String)
            #expect(Timestamp(iso8601: time) != nil, "\(time)")
        }
        // The addresses and tokens that sign in are secrets. Standard output has them for the caller.
        #expect(transcript.output.contains(server == "chat" ? "operatorToken" : "once="))
        #expect(!transcript.notes.contains("once="))
        #expect(!transcript.notes.contains("operatorToken"))
    }

    @Test func aFailureIsOneObject() async throws {
        let transcript = Transcript()
        let status = await ToolRun(console: transcript.console).run(
            ["serve", "collector", "--log-format", "json", "--port", "0", "--database", "/no/such/folder/a.sqlite"])
        #expect(status == .unusableInput)
        let lines = try lines(transcript)
        #expect(lines.map { $0["event"] as? String } == ["failed"])
        #expect(lines.first?["level"] as? String == "error")
        #expect((lines.first?["reason"] as? String)?.contains("/no/such/folder") == true)
    }

    @Test func notesAndLibrariesBecomeEvents() throws {
        let transcript = Transcript()
        let log = ServerLog(
            .json, server: "collector", console: transcript.console,
            clock: .fixed(try #require(Timestamp(iso8601: "2031-03-15T12:00:00Z"))))
        let console = log.console(transcript.console)
        console.note("a\nWARNING: b \u{7}\"")
        let logger = try #require(log.logger)
        logger.info("not important")
        logger.error("broken", metadata: ["host": "x\ny"])
        let lines = try lines(transcript)
        #expect(lines.map { $0["event"] as? String } == ["note", "warning", "log"])
        #expect(lines.map { $0["level"] as? String } == ["info", "warning", "error"])
        #expect(lines.map { $0["message"] as? String } == ["a", "b \u{7}\"", "broken"])
        #expect((lines.last?["metadata"] as? [String: String]) == ["host": "x\ny"])
        #expect(lines.allSatisfy { $0["time"] as? String == "2031-03-15T12:00:00Z" })
    }

    @Test func textIsTheDefault() async throws {
        let transcript = Transcript()
        let log = ServerLog(.text, server: "chat", console: transcript.console)
        log.write(.listening)
        #expect(log.logger == nil)
        log.console(transcript.console).note("a sentence")
        #expect(transcript.notes == "a sentence\n")
    }

    @Test func everyEventIsDocumented() throws {
        let page = try #require(Documentation.documents.first { $0.path == "docs/observability.md" })
        let start = try #require(page.prose.firstIndex { $0.hasPrefix("| event | level | further keys") })
        let rows = page.prose[start...].dropFirst(2).prefix { $0.hasPrefix("|") }
        let documented = rows.compactMap { $0.firstMatch(of: /^\| `([A-Za-z]+)` \|/).map { String($0.1) } }
        #expect(documented == ServerLog.Event.allCases.map(\.rawValue))
    }
}
