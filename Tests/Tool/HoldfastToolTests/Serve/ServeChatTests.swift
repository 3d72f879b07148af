import ChatDevServer
import Foundation
import HTTPTypes
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTrust
import Testing

@testable import HoldfastTool

/// Runs `holdfast serve chat` as its users do.
@Suite("Tool: serve chat", .serialized, .timeLimit(.minutes(2)))
struct ServeChatTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// The JSON line with the server's addresses.
    private struct Ready: Decodable {
        var event: String
        var rest: String
        var webSocket: String
        var pins: [String]
        var steps: Int
        var database: String?
        var desk: String?
        var operatorToken: String?

        enum CodingKeys: String, CodingKey {
            case event, rest, webSocket, pins, steps, database, desk, operatorToken
        }
    }

    /// Runs the command in this process, and `body` concurrently. Returns the complete output.
    @discardableResult private func serving(
        _ arguments: [String], _ body: (Ready, Transcript) async throws -> Void
    ) async throws -> Transcript {
        try await Serving.with("chat", arguments, body)
    }

    private func client(anchors: TrustAnchors? = nil) -> HTTPClient {
        var configuration = TransportConfiguration(trust: .system(anchors: anchors ?? .only([])))
        configuration.dangerouslyAllowsCleartext = true
        return HTTPClient(configuration: configuration)
    }

    private func get(
        _ url: String, _ client: HTTPClient, headers: [(String, String)] = []
    ) async throws -> (status: Int, body: String) {
        var request = try #require(Self.request(url))
        for (name, value) in headers { request.headerFields[try #require(HTTPField.Name(name))] = value }
        let answer = try await client.collect(request, upTo: 1 << 20)
        return (answer.response.status.code, String(decoding: answer.body, as: UTF8.self))
    }

    private static func request(_ url: String) -> HTTPRequest? {
        guard let parts = URLComponents(string: url), let scheme = parts.scheme, let host = parts.host,
            let port = parts.port
        else { return nil }
        let query = parts.percentEncodedQuery.map { "?" + $0 } ?? ""
        return HTTPRequest(
            method: .get, scheme: scheme, authority: "\(host):\(port)", path: parts.percentEncodedPath + query)
    }

    @Test func servesCleartextAndPrintsAddress() async throws {
        try await serving(["--in-memory"]) { ready, _ async throws in
            #expect(ready.event == "listening")
            #expect(ready.pins.isEmpty)
            #expect(ready.database == nil)
            let answer = try await get(ready.rest + "/api/chat/config", client())
            #expect(answer.status == 200)
            #expect(answer.body.contains("pingIntervalMillis"))
            // No operator token is configured, so one was created for this run.
            #expect(try await get(ready.rest + "/operator", client()).status == 401)
            let token = try #require(ready.operatorToken)
            let bearer = [("Authorization", "Bearer " + token)]
            #expect(try await get(ready.rest + "/operator", client(), headers: bearer).status == 200)
            let desk = try await get(try #require(ready.desk) + "/sign-in", client())
            #expect(desk.status == 200)
            #expect(desk.body.contains("name=\"token\""))
        }
    }

    @Test func servesTLSToClientsThatTrustItsRoot() async throws {
        let root = folder.path + "/root.pem"
        // The root of an earlier run is replaced.
        try await serving(["--in-memory", "--tls", "--root", root]) { _, _ async throws in }
        let earlier = try CertificateLoading.certificates(atPath: root)
        try await serving(["--in-memory", "--tls", "--root", root]) { ready, _ async throws in
            #expect(try CertificateLoading.certificates(atPath: root) != earlier)
            #expect(ready.pins.count == 2)
            #expect(ready.pins.allSatisfy { $0.hasPrefix("sha256/") })
            let anchors = TrustAnchors.only(try CertificateLoading.certificates(atPath: root))
            let answer = try await get(ready.rest + "/api/chat/config", client(anchors: anchors))
            #expect(answer.status == 200)
            await #expect(throws: TransportError.self) {
                try await get(ready.rest + "/api/chat/config", client())
            }
        }
    }

    @Test func otherFilesAreNotReplacedByTheRoot() async throws {
        let authority = try CertificateFactory().authority("Root")
        let development = try ServerCertificateAuthority(now: TrustClock.system.now()).root
        let files = try [
            folder.file("text.pem", "not a certificate"), folder.file("other.pem", authority.certificatePEM),
            folder.file("two.pem", development.certificatePEM + authority.certificatePEM),
        ]
        for file in files {
            let before = FileManager.default.contents(atPath: file)
            await ToolOutcome.of("serve", "chat", "--in-memory", "--port", "0", "--tls", "--root", file)
                .expectUnusable("not overwritten")
            #expect(FileManager.default.contents(atPath: file) == before)
        }
    }

    @Test func servesTLSWithGivenFiles() async throws {
        let factory = CertificateFactory(now: TrustClock.system.now())
        let authority = try factory.authority("Root")
        let leaf = try factory.leaf(["localhost"], ipAddresses: ["127.0.0.1"], signedBy: authority)
        let root = try folder.file("own-root.pem", authority.certificatePEM)
        let chain = try folder.file("chain.pem", leaf.chainPEM)
        let key = try folder.file("key.pem", leaf.privateKeyPEM)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
        let transcript = try await serving(["--in-memory", "--cert", chain, "--key", key]) { ready, _ async throws in
            #expect(ready.rest.hasPrefix("https://"))
            #expect(ready.webSocket.hasPrefix("wss://"))
            #expect(ready.pins.isEmpty)
            let anchors = TrustAnchors.only(try CertificateLoading.certificates(atPath: root))
            #expect(try await get(ready.rest + "/api/chat/config", client(anchors: anchors)).status == 200)
            await #expect(throws: TransportError.self) {
                try await get(ready.rest + "/api/chat/config", client())
            }
        }
        #expect(!transcript.notes.contains("WARNING"))
    }

    @Test func invalidIdentityFilesAreRefused() async throws {
        let factory = CertificateFactory(now: TrustClock.system.now())
        let authority = try factory.authority("Root")
        let leaf = try factory.leaf(["localhost"], signedBy: authority)
        let other = try factory.leaf(["localhost"], signedBy: authority)
        let chain = try folder.file("chain.pem", leaf.chainPEM)
        let key = try folder.file("key.pem", leaf.privateKeyPEM)
        let otherKey = try folder.file("other.pem", other.privateKeyPEM)
        let garbage = try folder.file("garbage.pem", "nothing of the kind")
        let missing = folder.path + "/none.pem"
        let cases = [
            (garbage, key, "garbage.pem"), (missing, key, "none.pem"), (chain, missing, "none.pem"),
            (chain, garbage, "the key must be PEM"), (chain, otherKey, "do not belong together"),
            (key, key, "key.pem"),
        ]
        for (certificate, key, text) in cases {
            await ToolOutcome.of("serve", "chat", "--in-memory", "--port", "0", "--cert", certificate, "--key", key)
                .expectUnusable(text)
        }
        for arguments in [["--cert", chain], ["--key", key], ["--cert", chain, "--key", key, "--tls"]] {
            let status = await ToolRun(console: Transcript().console).run(["serve", "chat", "--in-memory"] + arguments)
            #expect(status == .usage, "\(arguments)")
        }
    }

    @Test func scriptRunsAndItsErrorsHavePositions() async throws {
        let script = try folder.file(
            "script.json",
            """
            { "holdfastScript": 1, "steps": [
                { "on": "start", "do": { "action": "fault", "fault": "failCall", "status": 503, "error": "busy" } } ] }
            """)
        try await serving(["--in-memory", "--script", script]) { ready, _ async throws in
            #expect(ready.steps == 1)
            #expect(try await get(ready.rest + "/api/chat/config", client()).body.contains("busy"))
            #expect(try await get(ready.rest + "/api/chat/config", client()).status == 200)
        }
        let bad = try folder.file(
            "bad.json",
            "{ \"holdfastScript\": 1,\n \"steps\": [ { \"on\": \"strat\", \"do\": [] }, { \"on\": \"ready\" } ] }")
        let transcript = Transcript()
        let status = await ToolRun(console: transcript.console).run(["serve", "chat", "--in-memory", "--script", bad])
        #expect(status == .unusableInput)
        #expect(transcript.notes.contains("bad.json:2:21: steps[0].on: \"strat\" must be one of"))
        #expect(transcript.notes.contains("bad.json:2:42: steps[1]: the key \"do\" is missing"))
    }

    @Test func cannedAnswersAreReadAndTheirErrorsHavePositions() async throws {
        let good = try folder.file(
            "good.json", #"{"holdfastCannedAnswers": 1, "answers": [{"name": "Hi", "text": "Hello"}]}"#)
        try await serving(["--in-memory", "--canned-answers", good]) { ready, _ async throws in
            #expect(try #require(ready.desk) == ready.rest + "/desk")
        }
        let bad = try folder.file("bad.json", "{\"holdfastCannedAnswers\": 1,\n \"answers\": [{\"name\": \"Hi\"}]}")
        let transcript = Transcript()
        let status = await ToolRun(console: transcript.console).run(
            ["serve", "chat", "--in-memory", "--canned-answers", bad])
        #expect(status == .unusableInput)
        #expect(transcript.notes.contains("bad.json:2:14: answers[0]: the key \"text\" is missing"))
    }

    @Test func clientsAndOperatorsNeedTokens() async throws {
        let token = try folder.file("token", "0123456789abcdef\n")
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: token)
        let transcript = try await serving(
            ["--in-memory", "--token", "one", "--token", "two", "--operator-token-file", token]
        ) { ready, _ async throws in
            let configuration = ready.rest + "/api/chat/config"
            #expect(try await get(configuration, client()).status == 401)
            for token in ["one", "two"] {
                #expect(try await get(configuration, client(), headers: [("Authorization", token)]).status == 200)
            }
            let operators = ready.rest + "/operator"
            #expect(try await get(operators, client()).status == 401)
            let answer = try await get(operators, client(), headers: [("Authorization", "Bearer 0123456789abcdef")])
            #expect(answer.status == 200)
        }
        #expect(transcript.notes.contains("can be read or written by other users"))
        #expect(!transcript.output.contains("0123456789abcdef") && !transcript.notes.contains("0123456789abcdef"))
    }

    @Test func printsAddressAndWarnings() async throws {
        let transcript = Transcript()
        let lines = AsyncStream.makeStream(of: Void.self)
        let console = transcript.console
        let watched = Console(
            output: console.output,
            notes: {
                console.notes($0)
                if $0.contains("WARNING: other machines") { lines.continuation.yield() }
            })
        let arguments = [
            "serve", "chat", "--port", "0", "--host", "0.0.0.0", "--dangerously-serve-other-machines", "--tls",
            "--database", folder.path + "/chat.sqlite", "--no-bot",
        ]
        await withTaskGroup(of: ToolStatus.self) { group in
            group.addTask { await ToolRun(console: watched).run(arguments) }
            for await _ in lines.stream { break }
            group.cancelAll()
            #expect(await group.next() == .success)
        }
        for text in ["REST https://", "pin sha256/", "the backup key", "--root FILE", "chat.sqlite", "stopped"] {
            #expect(transcript.notes.contains(text), "\(text)")
        }
        #expect(FileManager.default.fileExists(atPath: folder.path + "/chat.sqlite-files"))
    }

    @Test func unusableInputIsReportedInOneSentence() async throws {
        let garbage = try folder.file("garbage", String(repeating: "no database ", count: 500))
        let short = try folder.file("short", "abc")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: short)
        let rotating = try folder.file(
            "rotating.json",
            #"{"holdfastScript":1,"steps":[{"on":"start","do":{"action":"identity","scenario":"expired"}}]}"#)
        await ToolOutcome.of("serve", "chat", "--database", garbage, "--port", "0").expectUnusable("cannot be opened")
        await ToolOutcome.of("serve", "chat", "--in-memory", "--operator-token-file", short)
            .expectUnusable("16 to 4096 characters")
        await ToolOutcome.of("serve", "chat", "--in-memory", "--configuration-patch", short)
            .expectUnusable("not valid JSON")
        let missing = await ToolOutcome.of("serve", "chat", "--in-memory", "--script", folder.path + "/none")
        #expect(missing.status == .unusableInput)
        #expect(missing.notes.contains("The file does not exist"))
        await ToolOutcome.of("serve", "chat", "--in-memory", "--script", rotating).expectUnusable("does not use TLS")
        let wrong = [
            ["--host", "0.0.0.0"], ["--in-memory", "--database", "x"], ["--root", "x"], ["--bot-delay", "-1"],
            ["--in-memory", "--dangerously-allow-remote-operators"], ["--no-bot", "--bot-delay", "1"],
        ]
        for arguments in wrong {
            let status = await ToolRun(console: Transcript().console).run(["serve", "chat"] + arguments)
            #expect(status == .usage, "\(arguments)")
        }
    }

    /// The path of the tool, if it was built with the tests.
    static let toolPath: String? = {
        let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().path
        return FileManager.default.isExecutableFile(atPath: folder + "/holdfast") ? folder + "/holdfast" : nil
    }()

    /// A server that is killed keeps what it has acknowledged; an interrupted one closes its sockets and exits with 0.
    @Test(.enabled(if: ServeChatTests.toolPath != nil)) func survivesSIGKILLAndEndsByInterruption()
        async throws
    {
        let database = folder.path + "/killed.sqlite"
        let script = try folder.file(
            "script.json",
            #"{"holdfastScript":1,"steps":[{"on":"ready","do":{"action":"say","uuid":"greeting","text":"Welcome"}}]}"#)
        let (process, ready) = try await launch(["--database", database, "--script", script])
        defer { kill(process.processIdentifier, SIGKILL) }
        let socket = "ws" + ready.rest.dropFirst(4) + "/socket"
        let lines = """
            {"action":"registerDevice","correlationId":"1","data":{"clientId":"alice"}}
            {"action":"sendMessage","correlationId":"2","data":{"content":{"type":"CLIENT_INFO","name":"Alice"}}}
            {"action":"sendMessage","correlationId":"3",\
            "data":{"content":{"type":"MESSAGE","uuid":"u1","text":"Keep me"}}}

            """
        // The tool's own WebSocket client sends what an app would send.
        let client = await ToolOutcome.of("ws", socket, "--wait", "2", input: lines)
        #expect(client.status == .success, "\(client.notes)")
        let receipt = try #require(client.lines.first { $0.contains(#""correlationId":"3""#) })
        kill(process.processIdentifier, SIGKILL)

        let (second, again) = try await launch(["--database", database, "--no-bot"])
        defer { kill(second.processIdentifier, SIGKILL) }
        let history = try await get(
            again.rest + "/api/client/history?count=50", self.client(), headers: [("X-Client-Id", "alice")])
        #expect(history.body.contains("Keep me"))
        #expect(history.body.contains("Welcome"))
        // The same message has the same receipt: it is stored once.
        let more = await ToolOutcome.of(
            "ws", "ws" + again.rest.dropFirst(4) + "/socket", "--wait", "2", input: lines)
        #expect(more.lines.contains(receipt))

        kill(second.processIdentifier, SIGTERM)
        let code = await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                second.waitUntilExit()
                continuation.resume(returning: second.terminationStatus)
            }
        }
        #expect(code == 0)
    }

    private func launch(_ arguments: [String]) async throws -> (Process, Ready) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try #require(Self.toolPath))
        process.arguments = ["serve", "chat", "--json", "--port", "0"] + arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let line = await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                var line = Data()
                while let byte = try? pipe.fileHandleForReading.read(upToCount: 1), !byte.isEmpty, byte != Data([0x0A])
                {
                    line += byte
                }
                continuation.resume(returning: line)
            }
        }
        return (process, try JSONDecoder().decode(Ready.self, from: line))
    }

    @Test func tokensComeFromFilesAndCommandLineTokensWarn() async throws {
        let tokens = try folder.file("tokens", " one \n\r\ntwo\n")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: tokens)
        let quiet = try await serving(["--in-memory", "--token-file", tokens]) { ready, _ async throws in
            let configuration = ready.rest + "/api/chat/config"
            #expect(try await get(configuration, client()).status == 401)
            for token in ["one", "two"] {
                #expect(try await get(configuration, client(), headers: [("Authorization", token)]).status == 200)
            }
        }
        #expect(!quiet.notes.contains("WARNING"))
        let loud = try await serving(["--in-memory", "--token", "three"]) { _, _ async throws in }
        #expect(loud.notes.contains("WARNING") && loud.notes.contains("--token-file"))
        let empty = try folder.file("empty", "\n \n")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: empty)
        await ToolOutcome.of("serve", "chat", "--in-memory", "--token-file", empty)
            .expectUnusable("does not contain a token")
    }
}
