import ArgumentParser
import ChatDevServer
import Foundation
import HoldfastTestSupport
import HoldfastTrust
import PinReportCollector
import Testing

@testable import HoldfastTool

/// Sets each setting of the servers, in the environment and in a file, and observes its effect. A setting that the tool
/// reads but does not use would mislead an operator.
@Suite("Tool: effects of settings") struct ServerSettingEffectTests {
    /// A value, and whether the command has it.
    private struct Row<Command> {
        /// The value as JSON: text, `true` or a list.
        let value: String
        /// Other settings that this one needs, as arguments.
        let others: [String]
        let hasEffect: (Command) async throws -> Bool

        init(_ value: String, with others: [String] = [], _ hasEffect: @escaping (Command) async throws -> Bool) {
            self.value = value
            self.others = others
            self.hasEffect = hasEffect
        }

        /// The value in the environment.
        var variable: String {
            value.hasPrefix("[") ? value.filter { !"[]\" ".contains($0) } : value.filter { $0 != "\"" }
        }
    }

    private let folder: TemporaryFolder
    private let chain: String
    private let key: String
    private let token: String

    init() throws {
        folder = try TemporaryFolder()
        let leaf = try CertificateFactory(now: TrustClock.system.now()).leaf(["localhost"], signedBy: nil)
        chain = try folder.file("chain.pem", leaf.chainPEM)
        key = try folder.file("key.pem", leaf.privateKeyPEM)
        token = try folder.file("token", "0123456789abcdef\n")
    }

    private func check<Command>(_ server: ServerSettings.Server, _ rows: [String: Row<Command>]) async throws {
        let settings = try ServerSetting.all(of: server)
        #expect(Set(settings.map(\.name)) == Set(rows.keys))
        for setting in settings {
            guard let row = rows[setting.name] else { continue }
            let file = try folder.file("settings.json", "{\"\(setting.name)\": \(row.value)}")
            let plain = ["serve", server.rawValue] + row.others
            let sources: [([String], [String: String])] = [
                (["--config", file], [:]), ([], [setting.variable(of: server): row.variable]),
            ]
            for (arguments, environment) in sources {
                let settings = try ServerSettings(plain + arguments, environment: environment)
                let command = try #require(try Holdfast.parseAsRoot(settings.arguments) as? Command)
                #expect(try await row.hasEffect(command), "\(setting.name) \(arguments) \(environment)")
            }
            // Without the setting, the effect must be missing: otherwise this test could not fail.
            if let command = try? Holdfast.parseAsRoot(plain) as? Command {
                #expect(try await !row.hasEffect(command), "\(setting.name)")
            }
        }
    }

    @Test func everySettingOfTheCollectorHasAnEffect() async throws {
        typealias Setting = Row<ServeCollectorCommand>
        let policy = try folder.file(
            "policy.json",
            "{\"holdfast\": 1, \"domains\": [{\"host\": \"www.example.com\", \"pins\": [\"sha256/\(pin(1))\", "
                + "\"sha256/\(pin(2))\"]}]}")
        let url = "https://hooks.example.com/in"
        let bundle = try self.bundle()
        let haltKey = try key(.halt)
        let (watch, out) = (["--rollout", "\(bundle)=1000"], folder.path + "/shop.bundle.halt")
        try await check(
            .collector,
            [
                "host": Setting("\"127.0.0.2\"") { try $0.makeConfiguration().host == "127.0.0.2" },
                "port": Setting("9000") { try $0.makeConfiguration().port == 9_000 },
                "database": Setting("\"reports.sqlite\"") {
                    try $0.makeConfiguration().databasePath == "reports.sqlite"
                },
                "cert": Setting("\"\(chain)\"", with: ["--key", key]) { try $0.makeConfiguration().tls != nil },
                "key": Setting("\"\(key)\"", with: ["--cert", chain]) { try $0.makeConfiguration().tls != nil },
                "token-file": Setting("\"\(token)\"") { try $0.makeConfiguration().token != nil },
                "path": Setting("[\"/a\", \"/b\"]") { try $0.makeConfiguration().intakePaths == ["/a", "/b"] },
                "per-minute": Setting("7") { try $0.makeConfiguration().limits.perMinute == 7 },
                "keep": Setting("8") { try $0.makeConfiguration().limits.storedReports == 8 },
                "keep-bytes": Setting("2097152") { try $0.makeConfiguration().limits.storedBytes == 2_097_152 },
                "keep-days": Setting("9") { try $0.makeConfiguration().limits.storedFor == .seconds(9 * 86_400) },
                "identities": Setting("5000000") { try $0.makeConfiguration().limits.identities == 5_000_000 },
                "identity-days": Setting("10") {
                    try $0.makeConfiguration().limits.identityTime == .seconds(10 * 86_400)
                },
                "no-desk": Setting("true") { try !$0.makeConfiguration().desk.isEnabled },
                "desk-origin": Setting("\"https://desk.example.com\"") {
                    try $0.makeConfiguration().desk.origin == "https://desk.example.com"
                },
                "known-policy": Setting("[\"\(policy)\"]") {
                    try $0.makeConfiguration().desk.knownPolicies.map(\.name) == ["policy.json"]
                },
                "rollout": Setting("[\"\(bundle)=1000/10/1000\"]") {
                    try $0.makeConfiguration().desk.rollouts.map(\.name) == ["shop.bundle"]
                },
                "halt-key": Setting("\"\(haltKey)\"", with: watch + ["--halt-key-id", "h", "--halt-out", out]) {
                    try $0.makeConfiguration().desk.haltOutput != nil
                },
                "halt-key-id": Setting("\"h\"", with: watch + ["--halt-key", haltKey, "--halt-out", out]) {
                    try $0.makeConfiguration().desk.haltOutput != nil
                },
                "halt-out": Setting("\"\(out)\"", with: watch + ["--halt-key", haltKey, "--halt-key-id", "h"]) {
                    try $0.makeConfiguration().desk.haltOutput?.path == out
                },
                "metrics-token-file": Setting("\"\(token)\"") {
                    try $0.makeConfiguration().desk.metricsToken != nil
                },
                "webhook": Setting("\"\(url)\"", with: ["--webhook-secret-file", token]) {
                    try $0.makeConfiguration().desk.webhook != nil
                },
                "webhook-secret-file": Setting("\"\(token)\"", with: ["--webhook", url]) {
                    (try? $0.makeConfiguration().desk.webhook) != nil
                },
                "dangerously-allow-cleartext": Setting("true") {
                    try $0.makeConfiguration().dangerouslyAllowsCleartext
                },
                "dangerously-read-without-token": Setting("true") {
                    try $0.makeConfiguration().dangerouslyAllowsReadingWithoutToken
                },
                "dangerously-allow-unverified-database": Setting(
                    "true", with: ["--database", "postgresql://collector@db.example.com/reports"]
                ) { try $0.makeConfiguration().dangerouslyAllowsUnverifiedDatabase },
                // ServerLogTests run a collector with each of the two.
                "log-format": Setting("\"json\"") { $0.logFormat == .json },
                "json": Setting("true") { $0.json },
            ])
    }

    @Test func everySettingOfTheChatServerHasAnEffect() async throws {
        typealias Setting = Row<ServeChatCommand>
        let script = try folder.file("script.json", #"{"holdfastScript": 1, "steps": []}"#)
        let answers = try folder.file(
            "faq.json", #"{"holdfastCannedAnswers": 1, "answers": [{"name": "Greeting", "text": "Hello"}]}"#)
        let patch = try folder.file("patch.json", #"{"schedule": null}"#)
        let root = folder.path + "/root.pem"
        let console = Transcript().console
        try await check(
            .chat,
            [
                "host": Setting("\"127.0.0.2\"") { try $0.makeConfiguration(on: console).host == "127.0.0.2" },
                "port": Setting("9000") { try $0.makeConfiguration(on: console).port == 9_000 },
                "script": Setting("\"\(script)\"") { try $0.makeConfiguration(on: console).script != nil },
                "database": Setting("\"a.sqlite\"") {
                    try $0.makeConfiguration(on: console).databasePath == "a.sqlite"
                },
                "files": Setting("\"b\"") { try $0.makeConfiguration(on: console).filesDirectory == "b" },
                "in-memory": Setting("true") { try $0.makeConfiguration(on: console).databasePath == nil },
                "tls": Setting("true") { try $0.makeConfiguration(on: console).authority != nil },
                // ServeChatTests run a server that writes the file.
                "root": Setting("\"\(root)\"", with: ["--tls"]) { $0.root == root },
                "cert": Setting("\"\(chain)\"", with: ["--key", key]) {
                    try $0.makeConfiguration(on: console).tls != nil
                },
                "key": Setting("\"\(key)\"", with: ["--cert", chain]) {
                    try $0.makeConfiguration(on: console).tls != nil
                },
                "token-file": Setting("\"\(token)\"") {
                    try $0.makeConfiguration(on: console).acceptedTokens == ["0123456789abcdef"]
                },
                "operator-token-file": Setting("\"\(token)\"") {
                    try $0.makeConfiguration(on: console).operatorToken != nil
                },
                "canned-answers": Setting("\"\(answers)\"") {
                    try $0.makeConfiguration(on: console).cannedAnswers?.count == 1
                },
                "configuration-patch": Setting("\"\(patch)\"") {
                    try $0.makeConfiguration(on: console).configurationPatch.contains("schedule")
                },
                "no-bot": Setting("true") { try !$0.makeConfiguration(on: console).isBotEnabled },
                "bot-delay": Setting("5") { try $0.makeConfiguration(on: console).botDelay == .milliseconds(5) },
                // The address of the other machine cannot be bound, but it is not refused.
                "dangerously-serve-other-machines": Setting(
                    "true", with: ["--host", "192.0.2.1", "--port", "0", "--in-memory"]
                ) { command in
                    do {
                        try await command.run(on: console)
                        return false
                    } catch {
                        return !ToolError(describing: error).sentence.contains("--dangerously-serve-other-machines")
                    }
                },
                "dangerously-allow-remote-operators": Setting("true", with: ["--operator-token-file", token]) {
                    try $0.makeConfiguration(on: console).dangerouslyAllowsRemoteOperators
                },
                "log-format": Setting("\"json\"") { $0.logFormat == .json },
                "json": Setting("true") { $0.json },
            ])
    }

    /// Returns the path of a bundle with two stages.
    private func bundle() throws -> String {
        let start = try #require(Timestamp(iso8601: "2031-03-15T12:00:00Z"))
        let policy =
            "{\"holdfast\": 1, \"domains\": [{\"host\": \"www.example.com\", \"pins\": ["
            + "\"sha256/\(pin(1))\", \"sha256/\(pin(2))\"]}]}"
        let stages = [(100, Int64(0)), (10_000, 60)].map {
            BundleRollout.Stage(share: $0.0, begins: start.advanced(bySeconds: $0.1))
        }
        let bundle = try SignedBundle.sign(
            policy: Array(policy.utf8), application: "com.example.shop", version: 4, notBefore: start,
            notAfter: start.advanced(bySeconds: 86_400), with: BundleSigningKey(generating: .ed25519, id: "a"),
            rollout: BundleRollout(stages: stages))
        return try folder.file("shop.bundle", bundle.bytes)
    }

    /// Returns the path of a private key for a role.
    private func key(_ role: BundleKeyRole, isPrivate: Bool = true) throws -> String {
        let path = "\(folder.path)/\(role.rawValue)-\(isPrivate).pem"
        let pem = BundleSigningKey(generating: .ed25519, id: "h").privateKeyPEM
        try NewFile.create([NewFile(path: path, bytes: role.file(pem), isPrivate: isPrivate)])
        return path
    }

    /// A key that signs bundles, and a key that others can read, never reach the collector.
    @Test func onlyAPrivateKeyForHaltsIsAccepted() throws {
        let base = ["serve", "collector", "--rollout", "\(try bundle())=1000", "--halt-out", folder.path + "/halt"]
        func refusal(_ path: String) throws -> String? {
            let arguments = base + ["--halt-key", path, "--halt-key-id", "h"]
            let command = try #require(try Holdfast.parseAsRoot(arguments) as? ServeCollectorCommand)
            do {
                _ = try command.makeConfiguration()
                return nil
            } catch {
                return ToolError(describing: error).sentence
            }
        }
        #expect(try refusal(key(.halt)) == nil)
        #expect(try refusal(key(.bundle))?.contains("the role halt is needed") == true)
        #expect(try refusal(key(.timestamp))?.contains("the role halt is needed") == true)
        #expect(try refusal(key(.halt, isPrivate: false))?.contains("0600") == true)
    }

    @Test(arguments: [
        ["--rollout", "shop.bundle"], ["--rollout", "=5"], ["--rollout", "shop.bundle=0"],
        ["--rollout", "shop.bundle=5/x"], ["--rollout", "shop.bundle=5/"], ["--halt-key", "a", "--halt-key-id", "h"],
        ["--halt-key", "a", "--halt-key-id", "h", "--halt-out", "b"],
    ])
    func impossibleRolloutsAreRefused(arguments: [String]) {
        #expect(throws: (any Error).self) { try Holdfast.parseAsRoot(["serve", "collector"] + arguments) }
    }

    private func pin(_ number: UInt8) -> String { SPKIDigest(hashing: [number]).base64 }

    /// The table in the documentation has one row for each setting.
    @Test(arguments: ServerSettings.Server.allCases)
    func everySettingIsDocumented(_ server: ServerSettings.Server) throws {
        let page = try #require(Documentation.documents.first { $0.path == "docs/reference/settings.md" })
        let documented = page.prose.compactMap { line in
            line.firstMatch(of: /^\| `([a-z-]+)` \| `(HOLDFAST_[A-Z_]+)` \|/).map { (String($0.1), String($0.2)) }
        }.filter { $0.1.hasPrefix(server.prefix) }
        let settings = try ServerSetting.all(of: server)
        #expect(documented.map(\.0).sorted() == settings.map(\.name).sorted())
        #expect(documented.map(\.1).sorted() == settings.map { $0.variable(of: server) }.sorted())
    }
}
