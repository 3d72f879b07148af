import HoldfastLint
import HoldfastTestSupport
import HoldfastTransportTestSupport
import HoldfastTrust
import Testing

@testable import HoldfastTool

@Suite("holdfast probe: annotations") struct ProbeAnnotationTests {
    @Test func expectedResultHasNoFindings() async throws {
        let stage = try ProbeStage()
        let policy = try stage.policy(stage.leaf.spkiDigest, stage.backup.spkiDigest)
        for expectation in [[], ["--expect", "allow"]] {
            let lines = try await stage.probe(["--policy", policy, "--format", "github"] + expectation)
            #expect(lines.status == .success)
            #expect(lines.output.isEmpty)
            #expect(lines.notes.contains(": allowed"))
        }
        let log = try await stage.probe(["--policy", policy, "--format", "sarif"])
        #expect(try SARIFOutput.read(log.output).results.isEmpty)
        #expect(log.notes.isEmpty)
    }

    @Test func refusalIsAnErrorAtTheRule() async throws {
        let stage = try ProbeStage()
        let policy = try stage.policy(try Key(.p256).spkiDigest, stage.backup.spkiDigest)
        let lines = try await stage.probe(["--policy", policy, "--format", "github"])
        #expect(lines.status == .failure)
        let path = WorkflowCommand.property(policy)
        let line = try #require(lines.lines.count == 1 ? lines.lines.first : nil)
        #expect(line.hasPrefix("::error file=\(path),line=5,title=pinMismatch::\(ProbeStage.host):"), "\(line)")
        #expect(line.contains("expected: allow"))
        #expect(line.contains("CAUTION"))
        #expect(line.contains(stage.leaf.spkiDigest.description))

        let log = try SARIFOutput.read(try await stage.probe(["--policy", policy, "--format", "sarif"]).output)
        let result = try #require(log.results.count == 1 ? log.results.first : nil)
        #expect(result.ruleId == "pinMismatch" && result.level == "error")
        let place = try #require(result.locations?.first)
        #expect(place.physicalLocation?.artifactLocation.uri == SARIFLog.uri(policy))
        #expect(place.physicalLocation?.region?.startLine == 5)
        #expect(place.logicalLocations?.first?.fullyQualifiedName.hasPrefix("\(ProbeStage.host):") == true)

        let expected = try await stage.probe(["--policy", policy, "--format", "github", "--expect", "block"])
        #expect(expected.status == .success && expected.output.isEmpty)
    }

    @Test func allowedServerCanBeTheError() async throws {
        let stage = try ProbeStage()
        let lines = try await stage.probe(["--expect", "block", "--format", "github"])
        #expect(lines.status == .failure)
        #expect(lines.output.hasPrefix("::error title=allowed::"), "\(lines.output)")
    }

    @Test func missingVerdictIsAnError() async throws {
        let stage = try ProbeStage()
        let lines = await stage.run(["\(ProbeStage.host):1", "--format", "github"])
        #expect(lines.status == .unreachable)
        #expect(lines.output.hasPrefix("::error title=connectionRefused::\(ProbeStage.host):1: "), "\(lines.output)")
        let log = await stage.run(["\(ProbeStage.host):1", "--format", "sarif"])
        #expect(try SARIFOutput.read(log.output).results.map(\.ruleId) == ["connectionRefused"])
    }

    @Test func warningsAreFindingsOfASuccess() async throws {
        let stage = try ProbeStage(.init(notAfter: ProbeStage.now.advanced(bySeconds: 3 * 86_400)))
        let lines = try await stage.probe(["--format", "github"])
        #expect(lines.status == .success)
        #expect(lines.lines.count == 1)
        #expect(lines.output.hasPrefix("::warning title=leafExpires::"), "\(lines.output)")
        let log = try await stage.probe(["--format", "sarif"])
        #expect(try SARIFOutput.read(log.output).results.map(\.level) == ["warning"])
    }

    @Test func failedTwoWayCheckIsAnError() async throws {
        let stage = try ProbeStage()
        let folder = try TemporaryFolder()
        // The app does not ship the key of its server.
        _ = try folder.file("a.cer", try stage.factory.authority("Other").certificateDER)
        let lines = try await stage.probe(["--trusted-certificates", folder.path, "--format", "github"])
        #expect(lines.status == .failure)
        #expect(lines.output.contains("title=twoWayCheck::"), "\(lines.output)")
    }

    /// The server chooses the text of its certificates.
    @Test func serverCannotAddACommand() async throws {
        let text = "x\n::error::forged\r::add-mask::forged,title=a%0A::stop-commands::t"
        let stage = try ProbeStage(
            .with {
                $0.organization = text
                $0.notAfter = ProbeStage.now.advanced(bySeconds: 86_400)
            })
        let rogue = try stage.factory.authority(text)
        let leaf = try stage.factory.leaf([ProbeStage.host], signedBy: rogue, .with { $0.organization = text })
        for tls in [nil, ServerTLS(leaf)] {
            let lines = try await stage.serving(tls) { port in
                await stage.run(["\(ProbeStage.host):\(port)", "--format", "github"])
            }
            #expect(!lines.lines.isEmpty)
            for line in lines.output.split(whereSeparator: \.isNewline) {
                #expect(["error", "warning"].contains { line.hasPrefix("::\($0) title=") }, "\(line)")
            }
        }
    }

    @Test func watchHasOtherFormats() async {
        for format in ["sarif", "github"] {
            let outcome = await ToolOutcome.of("probe", "a.example", "--watch", "--format", format)
            #expect(outcome.status == .usage)
            #expect(outcome.notes.contains("--watch"))
        }
        #expect(await ToolOutcome.of("probe", "a.example", "--json", "--format", "sarif").status == .usage)
        #expect(await ToolOutcome.of("probe", "a.example", "--json", "--color", "always").status == .usage)
    }

    @Test func verdictsAreColored() async throws {
        let stage = try ProbeStage()
        let policy = try stage.policy(try Key(.p256).spkiDigest, stage.backup.spkiDigest)
        let plain = try await stage.probe(["--policy", policy])
        #expect(!plain.output.contains("\u{1B}"))
        let colored = try await stage.probe(["--policy", policy, "--color", "always"])
        #expect(colored.output.contains("system: \u{1B}[32mallow\u{1B}[0m"))
        #expect(colored.output.contains("test: \u{1B}[1;31mblock\u{1B}[0m"))
        #expect(colored.output.contains("\u{1B}[1;31mrefused (pinMismatch), expected: allow\u{1B}[0m"))
    }
}

extension ProbeStage {
    /// Starts a server with the genuine leaf, and probes it with the arguments in a list.
    fileprivate func probe(_ arguments: [String]) async throws -> ToolOutcome {
        try await serving(nil) { port in await run(["\(Self.host):\(port)"] + arguments) }
    }
}
