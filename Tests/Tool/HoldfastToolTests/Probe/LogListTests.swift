import ChatDevServer
import HoldfastTestSupport
import HoldfastTransportTestSupport
import HoldfastTrust
import Testing

@testable import HoldfastTool

/// `--log-list`: each command that takes `--policy` gives the list to rules that require certificate timestamps.
@Suite("Tool: --log-list", .timeLimit(.minutes(2))) struct LogListTests {
    private static let commands = ["probe", "get", "ws"]

    private let stage: ProbeStage
    private let logs: [TestLog]
    private let logged: Identity

    init() throws {
        stage = try ProbeStage()
        logs = [try TestLog("oak", operator: "Alpha"), try TestLog("elm", operator: "Beta")]
        logged = try stage.factory.loggedLeaf([ProbeStage.host], signedBy: stage.intermediate, logs: logs)
    }

    /// Writes a policy that requires timestamps for a host.
    private func policy(for host: String = ProbeStage.host) throws -> String {
        try stage.folder.file(
            "timestamps.json",
            """
            {"holdfast": 1, "name": "test", "domains": [{"host": "\(host)", "transparency": "chrome"}]}
            """)
    }

    private func list(_ text: String? = nil, name: String = "logs.json") throws -> String {
        try stage.folder.file(name, text ?? TestLog.googleList(logs))
    }

    /// Runs a command with a server that presents this identity.
    private func run(
        _ command: String, _ identity: Identity, _ arguments: [String], at time: Timestamp = ProbeStage.now
    ) async throws -> ToolOutcome {
        let options =
            [
                "--connect-to", "127.0.0.1", "--trust-anchors", stage.folder.path + "/root.pem", "--at", "\(time)",
                "--policy", try policy(),
            ] + arguments
        @Sendable func outcome(_ arguments: [String]) async -> ToolOutcome {
            let transcript = Transcript(input: Array("Hello\n".utf8))
            let status = await ToolRun(console: transcript.console).run([command] + arguments + options)
            return ToolOutcome(status: status, output: transcript.output, notes: transcript.notes)
        }
        switch command {
        case "ws":
            return try await WebSocketPeer.with(identity: identity) { peer in
                await outcome(["wss://\(ProbeStage.host):\(peer.port)/", "--count", "1"])
            }
        case "get":
            return try await ScriptedServer.with(tls: ServerTLS(identity)) { _ in
                [.respond("body")]
            } _: { server in
                await outcome(["https://\(ProbeStage.host):\(server.port)/"])
            }
        default: return try await stage.serving(ServerTLS(identity)) { await outcome(["\(ProbeStage.host):\($0)"]) }
        }
    }

    @Test(arguments: commands)
    func theListDecides(command: String) async throws {
        let list = try list()
        let accepted = try await run(command, logged, ["--log-list", list])
        #expect(accepted.status == .success, "\(accepted.notes)")
        let late = ProbeStage.now.advanced(bySeconds: TransparencyLogs.defaultMaximumAge)
        let cases: [(Identity, [String], Timestamp, String)] = [
            (stage.leaf, ["--log-list", list], ProbeStage.now, "sctsMissing"),
            (logged, [], ProbeStage.now, "logListMissing"),
            (logged, ["--log-list", list], late, "logListOutdated"),
        ]
        for (identity, arguments, time, code) in cases {
            let refused = try await run(command, identity, arguments, at: time)
            #expect(refused.status == .failure, "\(refused.notes)")
            #expect((refused.output + refused.notes).contains(code), "\(refused.output) \(refused.notes)")
        }
        // Holdfast's own format.
        let own = try TransparencyLogList(json: Array(TestLog.googleList(logs).utf8)).holdfastJSON
        let again = try await run(command, logged, ["--log-list", try self.list(own, name: "own.json")])
        #expect(again.status == .success, "\(again.notes)")
    }

    @Test(arguments: commands + ["chat"])
    func unusableLists(command: String) async throws {
        let target = ["probe": "shop.example", "chat": "shop.example", "get": "https://shop.example/"][command]
        func outcome(_ arguments: [String]) async -> ToolOutcome {
            let transcript = Transcript()
            let status = await ToolRun(console: transcript.console).run(
                [command, target ?? "wss://shop.example/"] + arguments)
            return ToolOutcome(status: status, output: transcript.output, notes: transcript.notes)
        }
        let alone = await outcome(["--log-list", try list()])
        #expect(alone.status == .usage && alone.notes.contains("--log-list needs --policy"), "\(alone.notes)")
        let policy = try policy()
        for (path, words) in [
            ("/missing/logs.json", "cannot open '/missing/logs.json'"),
            (try list("{", name: "cut.json"), "cut.json:1:2"),
            (try list("{}", name: "other.json"), "other.json"),
            (
                try list(String(repeating: " ", count: TransparencyLogList.maximumSize + 1), name: "large.json"),
                "has more than \(TransparencyLogList.maximumSize) bytes"
            ),
        ] {
            let unusable = await outcome(["--policy", policy, "--log-list", path])
            #expect(unusable.status == .unusableInput && unusable.notes.contains(words), "\(unusable.notes)")
        }
    }

    @Test func theChatUsesTheList() async throws {
        let factory = CertificateFactory(now: TrustClock.system.now())
        let root = try factory.authority("Chat Root")
        let anchors = try stage.folder.file("chat-root.pem", root.certificatePEM)
        let list = try list(
            TestLog.googleList(
                logs.map { $0.with { $0.since = factory.now.advanced(bySeconds: -86_400) } },
                issued: factory.now.advanced(bySeconds: -3_600)))
        let logged = try factory.loggedLeaf(["localhost"], signedBy: root, logs: logs)
        let plain = try factory.leaf(["localhost"], signedBy: root)
        let policy = try policy(for: "localhost")
        for (identity, arguments, code) in [
            (logged, ["--log-list", list], nil), (plain, ["--log-list", list], "sctsMissing"),
            (logged, [], "logListMissing"),
        ] {
            var configuration = ChatDevServerConfiguration()
            configuration.botDelay = .zero
            configuration.tls = TLSIdentity(chain: identity.chain, privateKeyPEM: identity.privateKeyPEM)
            try await ChatDevServer.with(configuration) { server in
                let port = try await server.started().port
                let transcript = Transcript(input: Array("Hello\n".utf8))
                let status = await ToolRun(console: transcript.console).run(
                    ["chat", "localhost:\(port)", "--trust-anchors", anchors, "--policy", policy, "--count", "1"]
                        + arguments)
                #expect(status == (code == nil ? .success : .failure), "\(transcript.notes)")
                #expect(transcript.output == (code == nil ? "You wrote: Hello\n" : ""))
                if let code { #expect(transcript.notes.contains(code), "\(transcript.notes)") }
            }
        }
    }
}
