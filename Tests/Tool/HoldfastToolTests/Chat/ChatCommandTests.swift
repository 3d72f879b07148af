import ChatDevServer
import Foundation
import HoldfastTestSupport
import HoldfastTrust
import Testing

@testable import HoldfastTool

/// `holdfast chat` against the development server, in this process.
@Suite("Tool: chat", .serialized, .timeLimit(.minutes(2)))
struct ChatCommandTests {
    private let folder: TemporaryFolder
    private let authority: ServerCertificateAuthority
    private let root: String

    init() throws {
        folder = try TemporaryFolder()
        authority = try ServerCertificateAuthority(now: TrustClock.system.now())
        root = try folder.file("root.pem", authority.root.certificatePEM)
    }

    private func serving<R: Sendable>(
        _ steps: String? = nil, tls: Bool = true, _ configure: (inout ChatDevServerConfiguration) -> Void = { _ in },
        _ body: (String, ChatDevServer) async throws -> R
    ) async throws -> R {
        var configuration = ChatDevServerConfiguration()
        configuration.botDelay = .zero
        if tls {
            configuration.tls = try authority.identity(for: .genuine)
            configuration.authority = authority
        }
        if let steps {
            configuration.script = try ChatServerScript(
                json: Array(#"{ "holdfastScript": 1, "steps": [ \#(steps) ] }"#.utf8))
            configuration.isBotEnabled = false
        }
        configure(&configuration)
        return try await ChatDevServer.with(configuration) { server in
            let address = try await server.started()
            return try await body((tls ? "localhost:" : "http://127.0.0.1:") + "\(address.port)", server)
        }
    }

    /// The lines of `--json`, each as an object.
    private func events(_ outcome: ToolOutcome) throws -> [[String: Any]] {
        try outcome.lines.map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
    }

    private func chat(_ server: String, _ arguments: String..., input: String = "") async -> ToolOutcome {
        let transcript = Transcript(input: Array(input.utf8))
        let trust = server.hasPrefix("http:") ? [] : ["--trust-anchors", root]
        let status = await ToolRun(console: transcript.console).run(["chat", server] + trust + arguments)
        return ToolOutcome(status: status, output: transcript.output, notes: transcript.notes)
    }

    @Test func aPipeSendsLinesAndPrintsWhatTheOtherSideSays() async throws {
        try await serving { server, _ in
            let outcome = await chat(server, "--count", "2", input: "Hello\nIs anybody there?\n")
            #expect(outcome.status == .success, "\(outcome.notes)")
            #expect(outcome.lines == ["You wrote: Hello", "You wrote: Is anybody there?"])
            #expect(outcome.notes.contains("ended: 2 messages received"))
        }
    }

    @Test func everyChangeIsAnObject() async throws {
        try await serving { server, _ in
            let outcome = await chat(
                server, "--json", "--count", "1", "--user", "ada", "--name", "Ada", input: "Hello\n")
            #expect(outcome.status == .success, "\(outcome.notes)")
            let told = try events(outcome)
            let rows = told.filter { $0["event"] as? String == "row" }
            #expect(rows.contains { $0["author"] as? String == "me" && $0["text"] as? String == "Hello" })
            #expect(rows.contains { $0["name"] as? String == "Vera" && $0["text"] as? String == "You wrote: Hello" })
            #expect(told.contains { $0["event"] as? String == "connection" && $0["state"] as? String == "ready" })
            #expect(told.last?["event"] as? String == "ended")
            #expect(told.last?["received"] as? Int == 1)
        }
    }

    @Test func allowsCleartextToLoopback() async throws {
        try await serving(tls: false) { server, _ in
            let outcome = await chat(server, "--count", "1", input: "Hello\n")
            #expect(outcome.lines == ["You wrote: Hello"], "\(outcome.notes)")
        }
    }

    @Test func printsStatus() async throws {
        try await serving { server, _ in
            let pin = "\(authority.pins[0])"
            let outcome = await chat(server, "--commands", "--pin", pin, input: "/status\n/help\n//slash\n/quit\n")
            #expect(outcome.notes.contains("trust: the verification by --trust-anchors and 1 pin"), "\(outcome.notes)")
            #expect(outcome.notes.contains("/press BUTTON"))
            // An invalid command in a pipe ends the run.
            let wrong = await chat(server, "--commands", input: "/sing\n")
            #expect(wrong.status == .unusableInput)
            #expect(wrong.notes.contains("line 1 of the input: there is no command /sing: "), "\(wrong.notes)")
            #expect(wrong.notes.contains("no message was sent"))
        }
    }

    @Test func messagesBeforeAnInvalidLineAreSent() async throws {
        try await serving { server, _ in
            let outcome = await chat(server, "--commands", "--json", input: "One\nTwo\n/sing\nThree\n")
            #expect(outcome.status == .unusableInput)
            #expect(outcome.notes.contains("line 3 of the input: there is no command /sing"), "\(outcome.notes)")
            #expect(outcome.notes.contains("; 2 messages before it were sent"), "\(outcome.notes)")
            let told = try events(outcome)
            // The newest picture counts: the first picture that shows a message as sent may already show it as read.
            let sent = told.filter { ["sent", "read"].contains($0["state"] as? String) }.map { $0["number"] as? Int }
            #expect(Set(sent).count == 2, "\(outcome.output)")
            #expect(told.last?["event"] as? String == "ended")
            #expect(told.last?["unsent"] as? Int == 0)
            #expect(!outcome.output.contains("Three"))
        }
    }

    @Test func unsentMessagesBeforeAnInvalidLineAreCounted() async throws {
        let step = #"""
            { "on": "frame", "frame": "MESSAGE",
                "do": { "action": "fault", "fault": "fail", "frame": "MESSAGE", "error": "no" } }
            """#
        try await serving(step) { server, _ in
            let outcome = await chat(server, "--commands", input: "One\n/sing\n")
            #expect(outcome.status == .unusableInput)
            #expect(outcome.notes.contains("; 1 of 1 message before it was not sent"), "\(outcome.notes)")
            #expect(outcome.notes.contains("ended: 0 messages received, 1 failed"), "\(outcome.notes)")
        }
    }

    @Test func storedConversationShowsMessageStates() async throws {
        let step = #"""
            { "on": "frame", "frame": "MESSAGE",
                "do": { "action": "fault", "fault": "fail", "frame": "MESSAGE", "error": "no" } }
            """#
        try await serving(step) { server, _ in
            let store = folder.path + "/reopened"
            let failing = await chat(server, "--store", store, input: "Lost\n")
            #expect(failing.status == .failure, "\(failing.notes)")
            let again = await chat(server, "--store", store, "--commands", input: "/quit\n")
            #expect((again.output + again.notes).contains("me (failed): Lost"), "\(again.notes)")
        }
    }

    @Test func filesAreUploadedAndDownloaded() async throws {
        let picture = try folder.file("a picture.png", [UInt8](0..<200))
        let copy = folder.path + "/copy.png"
        try await serving { server, _ in
            let sent = await chat(
                server, "--commands", "--count", "1", "--store", folder.path + "/store",
                input: "/file \"\(picture)\" Look\n")
            #expect(sent.lines == ["Thank you, I have received a picture.png (200 bytes)."], "\(sent.notes)")
            // Stored rows are shown in the next run, and their files can be downloaded by number.
            let outcome = await chat(
                server, "--commands", "--json", "--store", folder.path + "/store", input: "/get 3 \(copy)\n")
            let rows = try events(outcome).filter { ($0["files"] as? [Any])?.isEmpty == false }
            let number = try #require(rows.first?["number"] as? Int)
            let fetched = await chat(
                server, "--commands", "--store", folder.path + "/store", input: "/get \(number) \(copy)\n")
            #expect(
                fetched.notes.contains("file \"a picture.png\" is in") || outcome.output.contains("copy.png"),
                "\(fetched.notes)"
            )
            #expect(try Data(contentsOf: URL(fileURLWithPath: copy)) == Data(0..<200))
        }
    }

    /// Runs the command and types input after a given output.
    private func typing(
        _ server: String, _ arguments: String..., when words: String, first: String? = nil,
        then next: [(words: String, line: String)] = [], _ line: @escaping @Sendable (String) -> String
    ) async -> ToolOutcome {
        let typed = TypedInput()
        if let first { typed.type(first) }
        let transcript = Transcript()
        let told = AsyncStream.makeStream(of: String.self)
        let console = Console(
            output: {
                try transcript.console.output($0)
                let text = String(decoding: $0, as: UTF8.self)
                if ([words] + next.map(\.words)).contains(where: text.contains) { told.continuation.yield(text) }
            }, notes: transcript.console.notes, input: typed.read)
        let root = root
        let status = await withTaskGroup(of: ToolStatus?.self) { group in
            group.addTask {
                let status = await ToolRun(console: console).run(
                    ["chat", server, "--trust-anchors", root, "--commands", "--json"] + arguments)
                told.continuation.finish()
                return status
            }
            group.addTask {
                var steps: [(String, (String) -> String)] = [(words, line)]
                for step in next { steps.append((step.words, { _ in step.line })) }
                for await text in told.stream where text.contains(steps[0].0) {
                    typed.type(steps.removeFirst().1(text))
                    if steps.isEmpty { break }
                }
                typed.end()
                return nil
            }
            var status: ToolStatus?
            for await result in group { status = result ?? status }
            return status
        }
        return ToolOutcome(status: status ?? .failure, output: transcript.output, notes: transcript.notes)
    }

    @Test func buttonsArePressed() async throws {
        let steps = #"""
            { "on": "ready", "do": { "action": "say", "text": "Shall we?",
                "quickReplies": [ { "text": "Yes" }, { "text": "No" } ] } },
            { "on": "message", "contains": "No", "do": { "action": "say", "text": "A pity" } }
            """#
        try await serving(steps) { server, _ in
            let outcome = await typing(server, "--count", "2", when: #""buttons":["Yes","No"]"#) { _ in "/press 2" }
            #expect(outcome.status == .success, "\(outcome.notes)")
            let rows = try events(outcome).filter { $0["event"] as? String == "row" }
            #expect(rows.contains { $0["author"] as? String == "me" && $0["text"] as? String == "No" })
            #expect(rows.contains { $0["text"] as? String == "A pity" })
        }
    }

    @Test func aSurveyIsAnsweredAndAConversationClosed() async throws {
        let steps = #"""
            { "on": "ready", "do": { "action": "survey", "survey": { "id": 1, "sendingId": 2, "questions": [
                { "id": 3, "sendingId": 4, "text": "How was it?", "scale": 5 } ] } } },
            { "on": "surveyAnswer", "do": { "action": "say", "text": "Thank you" } }
            """#
        try await serving(steps) { server, _ in
            let outcome = await typing(server, "--count", "1", when: #""event":"survey""#) { _ in "/rate 4" }
            #expect(outcome.status == .success, "\(outcome.output) \(outcome.notes)")
            #expect(outcome.output.contains("Thank you"))
        }
        let closing = #"""
            { "on": "ready", "do": [ { "action": "say", "text": "Well?" }, { "action": "requestClose" } ] },
            { "on": "threadClosed", "do": { "action": "say", "text": "Goodbye" } }
            """#
        try await serving(closing) { server, _ in
            let outcome = await typing(server, "--count", "2", when: #""kind":"closeRequest""#) { _ in "/close" }
            #expect(outcome.status == .success, "\(outcome.output) \(outcome.notes)")
        }
    }

    @Test func documentedSurveyIsAnswered() async throws {
        let document = Repository.root.appending(path: "docs/chat.md")
        let text = String(decoding: try Data(contentsOf: document), as: UTF8.self)
        let script = try #require(text.components(separatedBy: "```json\n").dropFirst().first).components(
            separatedBy: "```")[0]
        let loaded = try ChatServerScript(json: Array(script.utf8))
        func configure(_ configuration: inout ChatDevServerConfiguration) {
            configuration.script = loaded
            configuration.isBotEnabled = false
        }
        try await serving(nil, tls: true, configure) { server, _ in
            let outcome = await typing(server, "--count", "1", when: #""event":"survey""#, first: "bye") { _ in
                "/rate 4"
            }
            #expect(outcome.status == .success, "\(outcome.output) \(outcome.notes)")
            #expect(outcome.output.contains("Thank you"))
        }
    }

    @Test func unknownSurveyQuestionIsRefused() async throws {
        let steps = #"""
            { "on": "ready", "do": { "action": "survey", "survey": { "id": 1, "sendingId": 2, "questions": [
                { "id": 3, "sendingId": 4, "text": "How was it?", "scale": 5 } ] } } }
            """#
        try await serving(steps) { server, _ in
            let outcome = await typing(server, when: #""event":"survey""#) { _ in "/rate 4 2" }
            #expect(outcome.status == .unusableInput)
            #expect(outcome.notes.contains("there is only question 1;"), "\(outcome.notes)")
        }
    }

    @Test func theConversationIsSearched() async throws {
        let step = #"""
            { "on": "ready", "do": [
                { "action": "say", "text": "Red shoes" }, { "action": "say", "text": "Blue hats" } ] }
            """#
        try await serving(step) { server, _ in
            let outcome = await typing(server, "--wait", "3", when: "Blue hats") { _ in "/search shoes" }
            let found = try events(outcome).first { $0["event"] as? String == "search" }
            let rows = found?["rows"] as? [[String: Any]]
            #expect(rows?.compactMap { $0["text"] as? String } == ["Red shoes"], "\(outcome.output) \(outcome.notes)")
        }
    }

    @Test func theSurroundingsOfAResultAreShown() async throws {
        let lines = (1...60).map { #"{ "action": "say", "text": "Line \#($0)" }"# }.joined(separator: ", ")
        let step = #"""
            { "on": "message", "contains": "fill", "do": [ { "action": "say", "text": "A needle" }, \#(lines) ] }
            """#
        func configure(_ configuration: inout ChatDevServerConfiguration) {
            configuration.configurationPatch = #"{"channelConfig": {"historyLoadingCount": 5}}"#
        }
        try await serving(step, configure) { server, _ in
            // Without --count, the run ends when everything has been quiet for a time, and all messages are read. On a
            // busy machine, a second may pass between two lines.
            let filled = await chat(server, "--user", "ada", "--wait", "5", input: "fill\n")
            #expect(filled.output.contains("Line 60"), "\(filled.notes)")
            // The next run loads the newest messages only. The needle is not among them.
            let outcome = await typing(
                server, "--user", "ada", "--wait", "3", when: "Line 60",
                then: [
                    (#""event":"search""#, "/show 1"), (#""event":"context""#, "/show newer"),
                    (#""event":"context""#, "/show close"),
                ]
            ) { _ in "/search needle" }
            let contexts = try events(outcome).filter { $0["event"] as? String == "context" }
            let rows = contexts.map { context in
                (context["rows"] as? [[String: Any]] ?? []).compactMap { $0["text"] as? String }
            }
            #expect(rows.first?.contains("A needle") == true, "\(outcome.output) \(outcome.notes)")
            #expect(rows.first?.contains("Line 1") == true)
            #expect(
                rows.count >= 2 && Set(rows[0]).isDisjoint(with: rows[1]) && !rows[1].isEmpty,
                "\(rows) \(outcome.notes)")
            #expect(try events(outcome).contains { $0["event"] as? String == "contextGone" })
        }
    }

    @Test func aResultOfTheConversationIsShownWithItsNeighbors() async throws {
        let step = #"""
            { "on": "ready", "do": [
                { "action": "say", "text": "Red shoes" }, { "action": "say", "text": "Blue hats" } ] }
            """#
        try await serving(step) { server, _ in
            let outcome = await typing(
                server, "--wait", "3", when: "Blue hats", then: [(#""event":"search""#, "/show 1")]
            ) { _ in "/search shoes" }
            let context = try events(outcome).first { $0["event"] as? String == "context" }
            let rows = (context?["rows"] as? [[String: Any]])?.compactMap { $0["text"] as? String } ?? []
            #expect(rows.contains("Red shoes") && rows.contains("Blue hats"), "\(outcome.output) \(outcome.notes)")
            #expect(context?["older"] as? String == "conversation")
            let wrong = await typing(server, when: "Blue hats") { _ in "/show newer" }
            #expect(wrong.status == .unusableInput)
            #expect(wrong.notes.contains("no surroundings are open"), "\(wrong.notes)")
        }
    }

    @Test func failedMessageIsRetriedOrDeleted() async throws {
        let step = #"""
            { "on": "frame", "frame": "MESSAGE",
                "do": { "action": "fault", "fault": "fail", "frame": "MESSAGE", "error": "no" } },
            { "on": "ready", "do": { "action": "say", "text": "Write to me" } }
            """#
        for (command, states) in [("/retry", ["sent", "read"]), ("/delete", ["gone"])] {
            try await serving(step) { server, _ in
                // The first line is the message that fails. It is typed after the other side's message.
                let store = folder.path + "/store-\(states[0])"
                let failing = await typing(server, "--store", store, when: "Write to me") { _ in "Try me" }
                #expect(failing.status == .failure, "\(failing.notes)")
                let again = await typing(server, "--store", store, when: #""state":"failed""#) { line in
                    let number = line.split(separator: #""number":"#).last?.prefix { $0.isNumber } ?? ""
                    return "\(command) \(number)"
                }
                let told = try events(again).contains {
                    states.contains($0["event"] as? String ?? "") || states.contains($0["state"] as? String ?? "")
                }
                #expect(told, "\(again.output) \(again.notes)")
            }
        }
    }

    @Test func errorsHaveARemedy() async throws {
        try await serving { server, _ in
            let missing = await chat(server, "--commands", input: "/file nofile\n")
            #expect(missing.status == .unusableInput)
            #expect(missing.notes.contains("cannot open 'nofile': No such file or directory"), "\(missing.notes)")
            let store = await chat(server, "--store", "/dev/null/x", input: "Hello\n")
            #expect(store.status == .unusableInput)
            #expect(
                store.notes.contains(
                    "the stored conversation cannot be opened: /dev/null/x cannot be examined: Not a directory. "
                        + "Choose another folder with --store"),
                "\(store.notes)")
            let foreign = "\(SPKIDigest(hashing: [1]))"
            let refused = await chat(server, "--pin", foreign, input: "Hello\n")
            for words in [
                "pinMismatch", "no pin matches. Seen:", "expected one of:", foreign, "--pin \(authority.pins[0])",
                "hint: holdfast probe localhost:",
            ] {
                #expect(refused.notes.contains(words), "\(words): \(refused.notes)")
            }
            for outcome in [missing, store, refused] { #expect(!outcome.notes.contains("Error Domain")) }
        }
    }

    @Test func untrustedServerIsRefused() async throws {
        let certificates = folder.path + "/certificates"
        try FileManager.default.createDirectory(atPath: certificates, withIntermediateDirectories: true)
        _ = try folder.file("certificates/leaf.cer", authority.leaf.certificateDER)
        let genuine = "\(authority.pins[0])"
        let foreign = "\(SPKIDigest(hashing: [1]))"
        try await serving { server, devServer in
            let pinned = await chat(server, "--pin", genuine, "--count", "1", input: "Hello\n")
            #expect(pinned.lines == ["You wrote: Hello"], "\(pinned.notes)")
            let refused = await chat(server, "--pin", foreign, input: "Hello\n")
            #expect(refused.status == .failure)
            #expect(refused.notes.contains("the chat cannot be opened:"))
            #expect(refused.output.isEmpty)
            let trusted = await ToolOutcome.of(
                "chat", server, "--trusted-certificates", certificates, "--count", "1", input: "Hello\n")
            #expect(trusted.lines == ["You wrote: Hello"], "\(trusted.notes)")
            // Without these options the machine's roots decide, which do not include this authority.
            let system = await ToolOutcome.of("chat", server, input: "Hello\n")
            #expect(system.status == .failure, "\(system.notes)")
            try devServer.replaceTLSIdentity(try authority.identity(for: .newKeySameAuthority))
            let rotated = await chat(server, "--pin", genuine, input: "Hello\n")
            #expect(rotated.status == .failure)
        }
    }

    @Test func failedMessageIsPrintedAndExitCodeIsOne() async throws {
        let step = #"""
            { "on": "frame", "frame": "MESSAGE", "do": { "action": "fault", "fault": "fail", "frame": "MESSAGE",
                "error": "message.rude", "details": "Please" } }
            """#
        try await serving(step) { server, _ in
            let outcome = await chat(server, "--json", input: "You there!\n")
            #expect(outcome.status == .failure)
            let failed = try events(outcome).first { $0["state"] as? String == "failed" }
            #expect((failed?["failure"] as? String)?.contains("message.rude (Please)") == true, "\(outcome.output)")
        }
    }

    @Test func blockedClientGetsTheReason() async throws {
        let step = #"{ "on": "ready", "do": { "action": "block", "text": "Enough." } }"#
        try await serving(step) { server, _ in
            let outcome = await chat(server, "--json", "--wait", "2", input: "")
            let blocked = try events(outcome).compactMap { $0["blocked"] as? String }
            #expect(blocked.contains("Enough."), "\(outcome.output)")
        }
    }

    @Test func unreachableServerExitCodeIsThree() async {
        // Nothing listens on port 9 of loopback.
        let outcome = await ToolOutcome.of("chat", "http://127.0.0.1:9", input: "Hello\n")
        #expect(outcome.status == .unreachable, "\(outcome.notes)")
        #expect(outcome.output.isEmpty)
    }

    /// Stored messages are shown without the server, and new ones wait for it.
    @Test func storedConversationOpensWithoutServer() async throws {
        let store = folder.path + "/store"
        try await serving(tls: false) { server, _ in
            let outcome = await chat(server, "--store", store, "--count", "1", input: "Hello\n")
            #expect(outcome.lines == ["You wrote: Hello"], "\(outcome.notes)")
        }
        let offline = await ToolOutcome.of(
            "chat", "http://127.0.0.1:9", "--store", store, "--json", "--commands", input: "Later\n/quit\n")
        #expect(offline.status == .failure, "one message is unsent: \(offline.notes)")
        let rows = try events(offline).filter { $0["event"] as? String == "row" }
        #expect(rows.contains { $0["text"] as? String == "You wrote: Hello" && $0["older"] as? Bool == true })
        #expect(rows.contains { $0["text"] as? String == "Later" })
        try await serving(tls: false) { server, _ in
            let outcome = await chat(server, "--store", store, "--count", "1", input: "")
            #expect(outcome.output.contains("You wrote: Later"), "\(outcome.notes)")
        }
    }

    /// A refused server ends the run, even if the conversation is stored.
    @Test func storedConversationDoesNotOpenWithRefusedServer() async throws {
        try await serving { server, _ in
            let outcome = await chat(
                server, "--store", folder.path + "/store", "--pin", "\(SPKIDigest(hashing: [1]))", input: "Hello\n")
            #expect(outcome.status == .failure)
            #expect(outcome.notes.contains("the chat cannot be opened:"), "\(outcome.notes)")
        }
    }

    @Test func fewerMessagesThanCountExitCodeIsOne() async throws {
        try await serving("") { server, _ in
            let outcome = await chat(server, "--count", "1", "--wait", "1", input: "Hello\n")
            #expect(outcome.status == .failure)
            #expect(outcome.notes.contains("ended: 0 messages received"), "\(outcome.notes)")
        }
    }

    @Test func unusableInputIsReportedInOneSentence() async throws {
        await ToolOutcome.of("chat", "localhost:1", "--token-file", folder.path + "/none").expectUnusable("cannot open")
        await ToolOutcome.of("chat", "localhost:1", "--trust-anchors", folder.path + "/none").expectUnusable(
            "The file does not exist")
        await ToolOutcome.of("chat", "localhost:1", "--policy", folder.path + "/none").expectUnusable("cannot open")
        let empty = folder.path + "/empty"
        try FileManager.default.createDirectory(atPath: empty, withIntermediateDirectories: true)
        await ToolOutcome.of("chat", "localhost:1", "--trusted-certificates", empty)
            .expectUnusable("no certificate")
        let wrong = [
            [], ["--rest", "https://a"], ["a", "--rest", "https://a"], ["a", "--pin", "x", "--policy", "y"],
            ["a", "--policy", "-"], ["a", "--api-version", "16"], ["a", "--count", "0"], ["a", "--wait", "-1"],
            ["a", "--policy-format", "okhttp"], ["a", "--pin", "nonsense"], ["http://127.0.0.1:1", "--pin", "x"],
            ["not a host"], ["http://example.com"], ["a", "--connect-to", "not a host"],
        ]
        for arguments in wrong {
            let status = await ToolRun(console: Transcript().console).run(["chat"] + arguments)
            #expect(status == .usage, "\(arguments)")
        }
    }
}
