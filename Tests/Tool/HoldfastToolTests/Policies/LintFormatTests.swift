import HoldfastLint
import Foundation
import HoldfastTestSupport
import HoldfastTrust
import Testing

@testable import HoldfastTool

@Suite("holdfast lint: output formats and --strict") struct LintFormatTests {
    private let folder: TemporaryFolder
    private let pins = ([[1], [2]] as [[UInt8]]).map { SPKIDigest(hashing: $0).base64 }
    /// The time of the checks. The policy expires two weeks later.
    private let time = ["--at", "2027-01-15T00:00:00Z"]

    init() throws {
        folder = try TemporaryFolder()
    }

    private func policy(_ name: String = "policy.json") throws -> String {
        try folder.file(
            name,
            "{\"holdfast\": 1, \"name\": \"shop\",\n \"domains\": [{\"host\": \"example.com\", "
                + "\"pins\": [\"\(pins[0])\", \"\(pins[1])\"], \"expires\": \"2027-01-31T00:00:00Z\"}]}")
    }

    @Test func sarifHasTheFindingsOfTheText() async throws {
        let file = try policy()
        let outcome = await ToolOutcome.of(["lint", file, "--format", "sarif"] + time)
        #expect(outcome.status == .failure)
        #expect(outcome.notes.isEmpty)
        let log = try SARIFOutput.read(outcome.output)
        let result = try #require(log.results.count == 1 ? log.results.first : nil)
        #expect(result.ruleId == "expires-soon" && result.level == "warning")
        let place = try #require(result.locations?.first?.physicalLocation)
        #expect(place.artifactLocation.uri == SARIFLog.uri(file))
        #expect(place.region?.startLine == 2 && place.region?.startColumn == 14)
        #expect(log.runs.first?.tool.driver.rules.first?.help?.text == "Ship a policy with a later expiry.")
        let clean = await ToolOutcome.of(["lint", file, "--format", "sarif", "--at", "2026-01-15"])
        #expect(clean.status == .success)
        #expect(try SARIFOutput.read(clean.output).results.isEmpty)
    }

    @Test func githubHasOneLineForEachFinding() async throws {
        let file = try policy()
        let outcome = await ToolOutcome.of(["lint", file, "--format", "github"] + time)
        #expect(outcome.status == .failure)
        #expect(outcome.lines.count == 1)
        let path = WorkflowCommand.property(file)
        #expect(outcome.output.hasPrefix("::warning file=\(path),line=2,col=14,title=expires-soon::"))
        #expect(outcome.notes == "1 warning\n")
        let clean = await ToolOutcome.of(["lint", file, "--format", "github", "--at", "2026-01-15"])
        #expect(clean.status == .success && clean.output.isEmpty)
        #expect(clean.notes == "no findings\n")
    }

    /// The name of a file, and the text in it, may come from the author of a pull request.
    @Test(arguments: [
        "x\n::error::forged.json", "a,line=9,title=forged.json", "a::forged.json", "100%0A::error::forged.json",
    ]) func nameAndTextOfAFileCannotAddACommand(_ name: String) async throws {
        let file = try folder.file(
            name,
            "{\"holdfast\": 1, \"name\": \"x\", \"domains\": [{\"host\": \"a\\n::error::forged\", \"pins\": "
                + "[\"\\r::add-mask::forged\"], \"\\n::error::forged\": 1}]}")
        let outcome = await ToolOutcome.of("lint", file, "--format", "github")
        #expect(outcome.status == .failure)
        #expect(outcome.lines.count >= 3, "\(outcome.output)")
        let path = WorkflowCommand.property(file)
        for line in outcome.output.split(whereSeparator: \.isNewline) {
            #expect(["error", "warning"].contains { line.hasPrefix("::\($0) file=\(path),") }, "\(line)")
        }
    }

    @Test func findingInAFolderNamesItsFile() async throws {
        let certificates = try TemporaryFolder()
        _ = try certificates.file("a.cer", try CertificateFactory().authority("Root").certificatePEM)
        let time = CertificateFactory.referenceTime.description
        let lines = await ToolOutcome.of("lint", certificates.path, "--format", "github", "--at", time)
        let path = WorkflowCommand.property(certificates.path + "/a.cer")
        #expect(lines.output.contains("::warning file=\(path),title=pem-certificate::"), "\(lines.output)")
    }

    @Test func standardInputHasNoFile() async throws {
        let text = try String(contentsOfFile: try policy(), encoding: .utf8)
        let lines = await ToolOutcome.of(["lint", "-", "--format", "github"] + time, input: text)
        #expect(lines.output.hasPrefix("::warning title=expires-soon::"))
        let log = await ToolOutcome.of(["lint", "-", "--format", "sarif"] + time, input: text)
        #expect(try SARIFOutput.read(log.output).results.first?.locations?.first?.physicalLocation == nil)
    }

    @Test func formatsAreChecked() async throws {
        let file = try policy()
        for arguments in [["--format", "xml"], ["--json", "--format", "sarif"], ["--format", "trustkit"]] {
            #expect(await ToolOutcome.of(["lint", file] + arguments).status == .usage, "\(arguments)")
        }
        let json = await ToolOutcome.of(["lint", file, "--format", "json"] + time)
        #expect(await ToolOutcome.of(["lint", file, "--json"] + time).output == json.output)
        let wrong = await ToolOutcome.of("lint", file, "--policy-format", "hpkp", "--host", "example.com")
        #expect(wrong.status == .failure)
    }

    // MARK: - --strict

    @Test func strictAlsoFailsForNotes() async throws {
        // TrustKit ignores this key: a note.
        let file = try folder.file(
            "tsk.json",
            "{\"TSKPinnedDomains\": {\"example.com\": {\"TSKPublicKeyHashes\": [\"\(pins[0])\", \"\(pins[1])\"]}}}")
        let plain = await ToolOutcome.of("lint", file)
        #expect(plain.status == .success, "\(plain.output)")
        #expect(plain.output.contains(" note: "), "\(plain.output)")
        #expect(!plain.output.contains(" warning: ") && !plain.output.contains(" error: "))
        let strict = await ToolOutcome.of("lint", file, "--strict")
        #expect(strict.status == .failure)
        #expect(strict.output == plain.output)
        for (arguments, isClean) in [([], true), (["--strict"], false)] as [([String], Bool)] {
            let json = await ToolOutcome.of(["lint", file, "--json"] + arguments)
            let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
            #expect(object?["clean"] as? Bool == isClean)
        }
    }

    @Test func strictAcceptsAFileWithoutFindings() async throws {
        let outcome = await ToolOutcome.of("lint", try policy(), "--strict", "--at", "2026-01-15")
        #expect(outcome.status == .success)
        #expect(outcome.lines == ["no findings"])
    }
}
