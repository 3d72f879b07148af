import Foundation
import HoldfastTestSupport
import HoldfastTrust
import Testing

@testable import HoldfastTool

@Suite("holdfast lint: notice and packages") struct PackageLintTests {
    let folder: TemporaryFolder
    private let now = CertificateFactory.referenceTime

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Writes a policy whose pins expire after 40 days.
    private func policy(_ name: String) throws -> String {
        let pins = [UInt8(1), 2].map { "\"\(SPKIDigest(hashing: [$0]).base64)\"" }.joined(separator: ", ")
        return try folder.file(
            name,
            "{\"holdfast\": 1, \"name\": \"shop\", \"domains\": [{\"host\": \"example.com\", \"pins\": [\(pins)], "
                + "\"expires\": \"\(now.advanced(bySeconds: 40 * 86_400))\"}]}")
    }

    @Test("--within-days decides when pins expire soon")
    func withinDays() async throws {
        let file = try policy("policy.json")
        let time = now.description
        #expect(await ToolOutcome.of("lint", file, "--at", time).status == .success)
        let early = await ToolOutcome.of("lint", file, "--at", time, "--within-days", "40")
        #expect(early.status == .failure)
        #expect(early.output.contains("[expires-soon]"))
        let expired = await ToolOutcome.of("lint", file, "--at", "2099-01-01", "--within-days", "0")
        #expect(expired.output.contains("[expired]"))
        for days in ["-1", "3651", "soon"] {
            #expect(await ToolOutcome.of("lint", file, "--within-days", days).status == .usage, "\(days)")
        }
    }

    @Test("--within-days applies to certificates and folders of them")
    func certificates() async throws {
        var options = CertificateOptions()
        options.notAfter = now.advanced(bySeconds: 40 * 86_400)
        for name in ["a", "b"] {
            let leaf = try CertificateFactory().leaf([name], signedBy: nil, options)
            _ = try folder.file("\(name).cer", leaf.certificateDER)
        }
        let time = now.description
        #expect(await ToolOutcome.of("lint", folder.path, "--at", time).status == .success)
        for path in [folder.path, folder.path + "/a.cer"] {
            let outcome = await ToolOutcome.of("lint", path, "--at", time, "--within-days", "41")
            #expect(outcome.status == .failure)
            #expect(outcome.output.contains("[certificate-expires-soon]"), "\(outcome.output)")
        }
    }

    @Test("--package checks what the package's configuration names")
    func packageConfiguration() async throws {
        _ = try policy("shop.holdfast.json")
        let time = now.description
        let clean = await ToolOutcome.of("lint", "--package", folder.path, "--at", time)
        #expect(clean.status == .success)
        #expect(clean.lines == ["no findings in 1 file or folder"])
        _ = try folder.file("holdfast-lint.json", "{\"withinDays\": 60}")
        let outcome = await ToolOutcome.of("lint", "--package", folder.path, "--at", time)
        #expect(outcome.status == .failure)
        #expect(outcome.lines.first?.hasPrefix("\(folder.path)/shop.holdfast.json:1:") == true, "\(outcome.output)")
        _ = try folder.file("holdfast-lint.json", "{\"withindays\": 60}")
        await ToolOutcome.of("lint", "--package", folder.path).expectUnusable("\"withindays\" is unknown")
        await ToolOutcome.of("lint", "--package", folder.path + "/missing").expectUnusable("cannot list the folder")
    }

    @Test("--package excludes files and the options of single files")
    func packageUsage() async throws {
        let file = try policy("shop.holdfast.json")
        for more in [[file], ["--chain", file], ["--host", "example.com"], ["--keys", file]] {
            #expect(await ToolOutcome.of(["lint", "--package", folder.path] + more).status == .usage, "\(more)")
        }
    }
}
