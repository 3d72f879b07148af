import ChatDevServer
import Foundation
import HoldfastTestSupport
import HoldfastTrust
import Testing

@testable import HoldfastTool

@Suite("holdfast pin advise") struct PinAdviseCommandTests {
    private struct Output: Decodable {
        struct Key: Decodable {
            var role: String
            var pin: String
            var scope: String
            var notAfter: String?
            var problem: String?
        }

        struct Plan: Decodable {
            var advised: Bool
            var pins: [String]
            var missing: [String]
        }

        var host: String
        var keys: [Key]
        var ownKeys: Plan
        var authorityKeys: Plan
        var commands: [String]
    }

    let folder: TemporaryFolder
    let world: AdviceWorld
    let chain: String
    let root: String
    let backup: String

    init() throws {
        folder = try TemporaryFolder()
        world = try AdviceWorld()
        chain = try folder.file("chain.pem", world.leaf.chainPEM)
        root = try folder.file("root.pem", world.root.certificatePEM)
        backup = try folder.file("backup.der", try world.backup().key.der)
    }

    private func advise(_ arguments: String..., input: String = "") async -> ToolOutcome {
        let time = CertificateFactory.referenceTime.description
        return await ToolOutcome.of(
            ["pin", "advise"] + arguments + ["--trust-anchors", root, "--at", time], input: input)
    }

    @Test func textNamesTheKeys() async {
        let outcome = await advise(chain, backup)
        #expect(outcome.status == .success && outcome.notes.isEmpty, "\(outcome.notes)")
        #expect(outcome.lines.first == "Keys for api.example")
        #expect(outcome.output.contains("ADVICE: pin the server's own keys: 1, 4."), "\(outcome.output)")
        #expect(outcome.output.contains("ALTERNATIVE: pin the keys of the CA and a backup: 3, 4."))
        for identity in [world.leaf, world.intermediate, world.root] {
            #expect(outcome.output.contains(identity.spkiDigest.description))
        }
    }

    @Test func textFitsATerminal() {
        let advice = world.advice([world.chain([world.leaf, world.intermediate])])
        for columns in [80, 100] {
            let console = Console(output: { _ in }, notes: { _ in }, columns: { columns })
            let text = advice.text(width: columns, fitted: console.fitted)
            // A command is copied, so that it is not wrapped.
            for line in text.split(separator: "\n") where !line.contains("openssl") {
                #expect(TerminalWidth.columns(line) <= columns, "\(line)")
            }
        }
    }

    @Test func withoutBackupTheCommandsAreShown() async throws {
        let outcome = await advise(chain)
        #expect(outcome.status == .failure)
        #expect(outcome.output.contains("not possible, because a backup key is missing"))
        let commands = outcome.lines.filter { $0.hasPrefix("  openssl ") }
        #expect(commands.count == 2)
        guard ShellCommand.path(of: "openssl") != nil else { return }
        // The commands make a file that completes the advice.
        let result = try ShellCommand.run("cd \(ShellWord(folder.path)) && " + commands.joined(separator: " && "))
        #expect(result.code == 0, "\(result.output)")
        #expect(await advise(chain, folder.path + "/backup-public.pem").status == .success)
    }

    @Test func jsonHasKeysAndPlans() async throws {
        let outcome = await advise(chain, backup, "--json")
        #expect(outcome.status == .success)
        let output = try JSONDecoder().decode(Output.self, from: Data(outcome.output.utf8))
        #expect(output.host == "api.example")
        #expect(output.keys.map(\.role) == ["leaf", "intermediate", "root", "backup"])
        #expect(output.keys.map(\.scope) == ["leaf", "ca", "ca", "leaf"])
        #expect(output.keys.map { $0.notAfter != nil } == [true, true, true, false])
        #expect(output.ownKeys.advised && output.ownKeys.pins.count == 2)
        let incomplete = await advise(chain, "--json")
        #expect(incomplete.status == .failure)
        let missing = try JSONDecoder().decode(Output.self, from: Data(incomplete.output.utf8))
        #expect(!missing.ownKeys.advised && missing.ownKeys.pins.isEmpty && missing.commands.count == 2)
    }

    @Test func policyAcceptsTheServerOnlyWithTheAdvisedKeys() async throws {
        for (options, scopes) in [([String](), ["leaf", "leaf"]), (["--authority"], ["ca", "leaf"])] {
            let outcome = await ToolOutcome.of(
                ["pin", "advise", chain, backup, "--policy", "--trust-anchors", root] + options
                    + ["--at", CertificateFactory.referenceTime.description])
            #expect(outcome.status == .success, "\(outcome.notes)")
            let policy = try PinningPolicy(holdfastJSON: Array(outcome.output.utf8))
            let rule = try #require(policy.rules.first)
            #expect(policy.rules.count == 1 && rule.host == .sample)
            #expect(rule.pins.pins.map(\.scope.rawValue).sorted() == scopes)
            let engine = TrustEngine(anchors: .only([world.root.view]))
            func decision(_ identities: [Identity]) -> TrustDecision {
                engine.evaluate(
                    PresentedChain(identities.map(\.view)), for: TrustSubject(host: .sample),
                    at: CertificateFactory.referenceTime, under: policy
                ).decision
            }
            #expect(decision([world.leaf, world.intermediate]) == .allow)
            let other = try world.factory.leaf(["api.example"], signedBy: world.intermediate)
            #expect(decision([other, world.intermediate]) == (options.isEmpty ? .block : .allow))
        }
    }

    @Test func noPolicyIsPrintedWithoutAdvice() async {
        let outcome = await advise(chain, "--policy")
        #expect(outcome.status == .failure)
        #expect(outcome.output.isEmpty)
        #expect(outcome.notes.contains("No policy is printed: a backup key is missing."))
        #expect(outcome.notes.contains("openssl genpkey"))
    }

    @Test func deniedKeysOfAPolicyAreNotAdvised() async throws {
        let key = world.leaf.spkiDigest.description
        let policy = try folder.file(
            "policy.json", #"{"holdfast": 1, "name": "a", "deny": ["\#(key)"], "domains": []}"#)
        let outcome = await advise(chain, backup, "--denied", policy)
        #expect(outcome.status == .failure, "\(outcome.notes)")
        #expect(outcome.output.contains("the policy denies"))
    }

    @Test func untrustedServerIsNotAdvised() async throws {
        let authority = try ServerCertificateAuthority(now: TrustClock.system.now())
        let identity = try authority.identity(for: .genuine)
        let outcome = try await CertificateScenarioServer.with(presenting: identity) { server in
            await ToolOutcome.of("pin", "advise", "127.0.0.1:\(server.port)", backup)
        }
        #expect(outcome.status == .failure, "\(outcome.notes)")
        #expect(outcome.output.contains("the system verification fails"))
    }

    @Test func unusableSourcesAreReported() async throws {
        await advise(backup).expectUnusable("no source contains the server's certificate")
        await advise(folder.path + "/missing.pem").expectUnusable("there is no file")
        await advise(try folder.file("bad.pem", "-----BEGIN CERTIFICATE-----\nAAAA\n")).expectUnusable("bad.pem")
        #expect(await advise(chain, "--json", "--policy").status == .usage)
        #expect(await advise(chain, "--host", "a b").status == .usage)
        #expect(await advise("-", "-").status == .usage)
        #expect(await advise(chain, "--password-file", root).status == .usage)
        #expect(await advise().status == .usage)
        let lone = try folder.file("root-only.pem", world.root.certificatePEM)
        await advise(lone).expectUsage("add --host")
    }

    @Test func sourceCanBeStandardInput() async {
        let outcome = await advise("-", backup, input: world.leaf.chainPEM)
        #expect(outcome.status == .success, "\(outcome.notes)")
        #expect(outcome.output.contains("standard input"))
    }

    /// `holdfast pin FILE` is still the command that prints pins.
    @Test func printingIsTheDefault() async {
        let short = await ToolOutcome.of("pin", chain, "--json")
        let long = await ToolOutcome.of("pin", "print", chain, "--json")
        #expect(short.status == .success && short.output == long.output)
        #expect(await ToolOutcome.of("pin").status == .usage)
        let help = await ToolOutcome.of("pin", "--help")
        #expect(help.status == .success && help.output.contains("advise") && help.output.contains("(default)"))
        #expect(await ToolOutcome.of("pin", "advise", "--help").output.contains("--authority"))
    }
}

extension ToolOutcome {
    /// Expects a usage error that contains the words.
    fileprivate func expectUsage(_ words: String) {
        #expect(status == .usage)
        #expect(notes.contains(words), "\(notes)")
    }
}
