import Foundation
import HoldfastTestSupport
import HoldfastTrust
import Testing

@testable import HoldfastTool

/// Runs `holdfast serve collector` as its users do.
@Suite("Tool: serve collector", .serialized)
struct ServeCollectorTests {
    private let folder: TemporaryFolder
    private let report: String

    init() throws {
        folder = try TemporaryFolder()
        let leaf = try CertificateFactory().leaf(["chat.example.com"], signedBy: nil)
        let fields: [String: Any] = [
            "app-bundle-id": "com.example\u{E9}", "app-version": "1", "app-vendor-id": "", "app-platform": "IOS",
            "trustkit-version": "3.0.0", "date-time": "2031-03-15T12:00:00Z", "hostname": "chat.example.com",
            "port": 443, "noted-hostname": "example.com", "include-subdomains": true, "enforce-pinning": true,
            "validated-certificate-chain": [leaf.certificatePEM],
            "known-pins": ["pin-sha256=\"\(SPKIDigest(hashing: [1]).base64)\""], "validation-result": 1,
        ]
        report = try folder.file("report.json", Array(try JSONSerialization.data(withJSONObject: fields)))
    }

    /// The JSON line with the collector's address.
    private struct Ready: Decodable {
        var event: String
        var url: String
    }

    /// Runs the command in this process, and `body` concurrently. Returns the complete output.
    @discardableResult private func serving(
        _ arguments: [String], _ body: (String, Transcript) async throws -> Void
    ) async throws -> Transcript {
        try await Serving.with("collector", arguments) { (ready: Ready, transcript) in
            #expect(ready.event == "listening")
            try await body(ready.url, transcript)
        }
    }

    static let curlPath = ["/usr/bin/curl", "/bin/curl"].first { FileManager.default.isExecutableFile(atPath: $0) }

    /// Returns the output of curl.
    private func curl(_ arguments: String...) async throws -> String {
        try await Self.run(try #require(Self.curlPath), ["-sS", "--max-time", "20"] + arguments)
    }

    private static func run(_ path: String, _ arguments: [String]) async throws -> String {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(
                    with: Result {
                        let process = Process()
                        process.executableURL = URL(fileURLWithPath: path)
                        process.arguments = arguments
                        let pipe = Pipe()
                        process.standardOutput = pipe
                        process.standardError = pipe
                        try process.run()
                        let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
                        process.waitUntilExit()
                        return String(decoding: data, as: UTF8.self)
                    })
            }
        }
    }

    private func post(_ url: String) async throws -> String {
        try await curl(
            "-H", "Content-Type: application/json", "-H", "Holdfast-Report-ID: 1", "--data-binary", "@\(report)",
            "\(url)/reports")
    }

    @Test(.enabled(if: ServeCollectorTests.curlPath != nil)) func curlPostsAndLists() async throws {
        let transcript = try await serving([]) { url, _ async throws in
            #expect(try await post(url).contains("\"id\": 1"))
            #expect(try await post(url).contains("\"repeated\": true"))
            let list = try await curl("\(url)/reports?host=chat.example.com")
            #expect(list.contains("\"result\": \"failedNoMatchingPin\""))
            #expect(try await curl("\(url)/reports/summary").contains("\"count\": 1"))
            #expect(try await curl("-d", "{}", "\(url)/reports").contains("mediaType"))
        }
        let events = transcript.output.split(separator: "\n").compactMap {
            try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
        }
        #expect(events.map { $0["event"] as? String } == ["listening", "stored", "repeated", "refused"])
        #expect(events.first?["readers"] as? String == "thisMachine")
        #expect(events.dropFirst().first?["host"] as? String == "chat.example.com")
    }

    @Test(.enabled(if: ServeCollectorTests.curlPath != nil)) func curlReadsWithATokenOverTLS() async throws {
        let now = TrustClock.system.now()
        let factory = CertificateFactory(now: now)
        let root = try factory.authority("Root")
        let leaf = try factory.leaf(["localhost"], ipAddresses: ["127.0.0.1"], signedBy: root)
        let ca = try folder.file("root.pem", root.certificatePEM)
        let arguments = [
            "--cert", try folder.file("chain.pem", leaf.chainPEM), "--key",
            try folder.file("key.pem", leaf.privateKeyPEM), "--token-file",
            try folder.file("token", "0123456789abcdef\n"), "--database", folder.path + "/reports.sqlite",
        ]
        try await serving(arguments) { url, transcript async throws in
            #expect(url.hasPrefix("https://"))
            #expect(try await curl("--cacert", ca, "\(url)/reports").contains("unauthorized"))
            let list = try await curl(
                "--cacert", ca, "-H", "Authorization: Bearer 0123456789abcdef", "\(url)/reports")
            #expect(list.contains("\"reports\": []"))
            #expect(!transcript.output.contains("0123456789abcdef"))
        }
    }

    /// The path of the tool, if it was built with the tests.
    static let toolPath: String? = {
        let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().path
        return FileManager.default.isExecutableFile(atPath: folder + "/holdfast") ? folder + "/holdfast" : nil
    }()

    @Test(.enabled(if: ServeCollectorTests.curlPath != nil && ServeCollectorTests.toolPath != nil))
    func reportSurvivesSIGKILL() async throws {
        let database = folder.path + "/killed.sqlite"
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try #require(Self.toolPath))
        process.arguments = ["serve", "collector", "--json", "--port", "0", "--database", database]
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        defer { kill(process.processIdentifier, SIGKILL) }
        let ready = try await Self.firstLine(of: pipe.fileHandleForReading)
        let url = try JSONDecoder().decode(Ready.self, from: ready).url
        #expect(try await post(url).contains("\"id\": 1"))
        kill(process.processIdentifier, SIGKILL)
        try await serving(["--database", database]) { url, _ async throws in
            #expect(try await curl("\(url)/reports").contains("\"id\": 1"))
            #expect(try await post(url).contains("\"repeated\": true"))
        }
    }

    private static func firstLine(of handle: FileHandle) async throws -> Data {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                var line = Data()
                while let byte = try? handle.read(upToCount: 1), byte != Data([0x0A]) { line += byte }
                continuation.resume(returning: line)
            }
        }
    }

    /// A variable that is empty by mistake must not open the reports to all users of the machine.
    @Test(.enabled(if: ServeCollectorTests.toolPath != nil)) func anEmptyVariableIsRefused() async throws {
        let said = try await Self.run(
            "/usr/bin/env",
            ["HOLDFAST_COLLECTOR_TOKEN=", try #require(Self.toolPath), "serve", "collector", "--path", "in"])
        #expect(said.contains("16 to 4096 characters"), "\(said)")
    }

    @Test func warnsOfReadableSecrets() async throws {
        let token = try folder.file("open-token", "0123456789abcdef\n")
        for (mode, isOpen) in [(0o600, false), (0o644, true), (0o660, true)] {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: token)
            let transcript = try await serving(["--token-file", token]) { _, _ async throws in }
            #expect(transcript.notes.contains("can be read or written by other users") == isOpen, "\(mode)")
        }
    }

    @Test func unusableInputIsReportedInOneSentence() async throws {
        let short = try folder.file("short", "abc")
        let garbage = try folder.file("garbage", String(repeating: "no database ", count: 500))
        await ToolOutcome.of("serve", "collector", "--token-file", short).expectUnusable("16 to 4096 characters")
        await ToolOutcome.of("serve", "collector", "--port", "0", "--database", garbage).expectUnusable(
            "cannot be opened")
        await ToolOutcome.of("serve", "collector", "--cert", report, "--key", report).expectUnusable("certificate")
        await ToolOutcome.of("serve", "collector", "--path", "in").expectUnusable("slash")
        let url = "postgresql://c@/r?host=/no/such/folder"
        #if PostgreSQL
        await ToolOutcome.of("serve", "collector", "--port", "0", "--database", url).expectUnusable("PostgreSQL:")
        #else
        await ToolOutcome.of("serve", "collector", "--database", url).expectUnusable("trait PostgreSQL")
        #endif
        let password = "postgresql://c:secret@db.example/r"
        for arguments in [
            ["--database", password], ["--cert", "a"], ["--keep", "0"], ["--keep-days", "0"], ["--keep-bytes", "1"],
            ["--per-minute", "-1"], ["--identities", "0"], ["--identities", "-5"], ["--identities", "many"],
            ["--identity-days", "0"], ["--identity-days", "36501"],
        ] {
            let status = await ToolRun(console: Transcript().console).run(["serve", "collector"] + arguments)
            #expect(status == .usage, "\(arguments)")
        }
    }
}
