import Foundation
import HoldfastTestSupport
import HoldfastTrust
import Testing

@testable import HoldfastTool

@Suite("holdfast lint, convert, explain") struct PolicyCommandTests {
    let folder: TemporaryFolder
    private let one = SPKIDigest(hashing: [1]).base64
    private let two = SPKIDigest(hashing: [2]).base64

    init() throws {
        folder = try TemporaryFolder()
    }

    private func policy(_ rule: String = "\"includesSubdomains\": true") throws -> String {
        try folder.file(
            "policy.json",
            "{\"holdfast\": 1, \"name\": \"shop\",\n \"domains\": [{\"host\": \"example.com\", "
                + "\"pins\": [\"\(one)\", \"\(two)\"], \(rule)}]}"
        )
    }

    // MARK: - lint

    @Test func validPolicyHasNoFindings() async throws {
        let outcome = await ToolOutcome.of("lint", try policy())
        #expect(outcome.status == .success, "\(outcome.notes)")
        #expect(outcome.lines == ["no findings"])
    }

    @Test func findingsHavePositionAndExitCode() async throws {
        let file = try policy("\"expires\": \"2027-01-31T00:00:00Z\"")
        let outcome = await ToolOutcome.of("lint", file, "--at", "2027-01-15T00:00:00Z")
        #expect(outcome.status == .failure)
        #expect(outcome.notes.isEmpty)
        #expect(outcome.lines.first?.hasPrefix("\(file):2:14: warning: ") == true)
        #expect(outcome.lines.first?.contains("[expires-soon]") == true)
        #expect(outcome.lines.dropFirst().first == "    remedy: Ship a policy with a later expiry.")
        #expect(outcome.lines.last == "1 warning")
        #expect(await ToolOutcome.of("lint", file, "--at", "2026-01-15").status == .success)
        let json = await ToolOutcome.of("lint", file, "--json", "--at", "2027-02-15")
        let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
        #expect(object?["clean"] as? Bool == false)
        let finding = (object?["findings"] as? [[String: Any]])?.first
        #expect(finding?["code"] as? String == "expired")
        #expect(finding?["line"] as? Int == 2)
        #expect(finding?["remedy"] as? String == "Ship a policy with a later expiry.")
    }

    @Test func chainDistinguishesHashes() async throws {
        let factory = CertificateFactory()
        let leaf = try factory.leaf(["example.com"], signedBy: try factory.authority("Root"))
        let chain = try folder.file("chain.pem", leaf.certificatePEM)
        let pins = "example.com sha256/\(leaf.view.rawKeyDigest.base64)\nexample.com sha256/\(one)\n"
        let file = try folder.file("pins.txt", pins)
        let outcome = await ToolOutcome.of("lint", file, "--chain", chain)
        #expect(outcome.status == .failure)
        #expect(outcome.output.contains("[raw-key-hash]"))
    }

    /// Without a rule for the server nothing is compared, and "no findings" would be misleading.
    @Test func chainWithoutRuleIsReported() async throws {
        let leaf = try CertificateFactory().leaf(["other.example"], signedBy: nil)
        let chain = try folder.file("chain.pem", leaf.certificatePEM)
        let info = try folder.file(
            "App.plist", "<plist><dict><key>NSAppTransportSecurity</key><dict/></dict></plist>")
        let certificates = try TemporaryFolder()
        for name in ["a", "b"] {
            _ = try certificates.file("\(name).cer", try CertificateFactory().authority(name).certificateDER)
        }
        let time = CertificateFactory.referenceTime.description
        for file in [try policy(), info, certificates.path] {
            #expect(await ToolOutcome.of("lint", file, "--at", time).status == .success, "\(file)")
            let outcome = await ToolOutcome.of("lint", file, "--chain", chain, "--at", time)
            #expect(outcome.status == .failure, "\(file)")
            #expect(outcome.output.contains("[chain-not-compared]"), "\(outcome.output)")
            #expect(outcome.lines.last == "1 warning")
        }
    }

    @Test func foldersAndInfoLists() async throws {
        let factory = CertificateFactory()
        let root = try factory.authority("Root")
        let certificates = try TemporaryFolder()
        _ = try certificates.file("a.cer", root.certificateDER)
        _ = try certificates.file("notes.txt", "not looked at")
        let time = CertificateFactory.referenceTime.description
        let outcome = await ToolOutcome.of("lint", certificates.path, "--at", time)
        #expect(outcome.status == .failure)
        #expect(outcome.output.contains("[single-certificate]"))
        func list(_ name: String, _ value: String) throws -> String {
            try folder.file(
                name,
                "<plist><dict><key>NSAppTransportSecurity</key><dict><key>A</key><\(value)/></dict></dict></plist>")
        }
        let app = try list("App.plist", "true")
        let differing = await ToolOutcome.of("lint", app, try list("Extension.plist", "false"))
        #expect(differing.status == .failure)
        #expect(differing.output.contains("[transport-security-differs]"))
        #expect(await ToolOutcome.of("lint", app, try list("Same.plist", "true")).status == .success)
        let loose = try folder.file("Chat.swift", "let pinning = SSLPinningConfig(allowUntrustedSSLCertificate: true)")
        let untrusted = await ToolOutcome.of("lint", loose)
        #expect(untrusted.status == .failure)
        #expect(untrusted.output.contains("[untrusted-certificates-allowed]"))
    }

    @Test func unreadableInputIsUnusable() async throws {
        await ToolOutcome.of("lint", folder.path + "/missing").expectUnusable("cannot open")
        let garbage = await ToolOutcome.of("lint", try folder.file("garbage", "hello"))
        #expect(garbage.status == .failure)
        #expect(garbage.output.contains("[unknown-format]"))
        #expect(await ToolOutcome.of("lint").status == .usage)
        #expect(await ToolOutcome.of("lint", "x", "--format", "nonsense").status == .usage)
        #expect(await ToolOutcome.of("lint", "x", "--policy-format", "nonsense").status == .usage)
    }

    // MARK: - convert

    @Test func policyAndReportUseSeparateStreams() async throws {
        let outcome = await ToolOutcome.of("convert", "--from", "holdfast", "--to", "android", try policy())
        #expect(outcome.status == .success, "\(outcome.notes)")
        #expect(outcome.output.contains("<domain includeSubdomains=\"true\">example.com</domain>"))
        #expect(outcome.notes.isEmpty)
        let back = await ToolOutcome.of("convert", "--to", "okhttp", input: outcome.output)
        #expect(back.output == "**.example.com sha256/\(one)\n**.example.com sha256/\(two)\n")
    }

    @Test func lostProtectionHasItsExitCode() async throws {
        let outcome = await ToolOutcome.of("convert", "--to", "nspinneddomains", try policy())
        #expect(outcome.status == .failure)
        #expect(outcome.output.contains("NSPinnedDomains"))
        #expect(outcome.notes.contains("[depth-narrowed]"))
        #expect(outcome.notes.contains("\n    remedy: List these hosts individually."))
        let broken = await ToolOutcome.of("convert", "--to", "trustkit", input: "hello")
        #expect(broken.status == .unusableInput)
        #expect(broken.output.isEmpty)
        #expect(await ToolOutcome.of("convert", try policy()).status == .usage)
    }

    @Test func theReportAsJSON() async throws {
        let outcome = await ToolOutcome.of("convert", "--to", "nspinneddomains", "--json", try policy())
        #expect(outcome.status == .failure)
        #expect(outcome.notes.isEmpty)
        let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
        #expect(object?["losesProtection"] as? Bool == true)
        #expect((object?["text"] as? String)?.contains("NSPinnedDomains") == true)
        let codes = (object?["report"] as? [[String: Any]])?.compactMap { $0["code"] as? String }
        #expect(codes?.contains("depth-narrowed") == true)
        let dictionary = await ToolOutcome.of("convert", "--to", "trustkit", "--trustkit-json", try policy())
        #expect(dictionary.status == .success, "\(dictionary.notes)")
        #expect(dictionary.output.hasPrefix("{"))
        let other = await ToolOutcome.of("convert", "--to", "android", "--trustkit-json", try policy())
        #expect(other.status == .usage && other.output.isEmpty)
        #expect(other.notes.contains("--trustkit-json needs --to trustkit"))
        let broken = await ToolOutcome.of("convert", "--to", "trustkit", "--json", input: "hello")
        #expect(broken.status == .unusableInput)
        #expect(broken.output.contains("\"text\": null"))
    }

    /// The age of a header counts from the given time.
    @Test func headerAgeCountsFromGivenTime() async throws {
        let file = try policy("\"expires\": \"2027-01-31T00:00:00Z\"")
        let outcome = await ToolOutcome.of("convert", "--to", "hpkp", "--at", "2027-01-30", file)
        #expect(outcome.status == .success, "\(outcome.notes)")
        #expect(outcome.output.contains("max-age=86400"))
    }

    @Test func formatsWithoutAHost() async throws {
        let header = "Public-Key-Pins: pin-sha256=\"\(one)\"; pin-sha256=\"\(two)\"; max-age=86400"
        let outcome = await ToolOutcome.of(
            "convert", "--to", "holdfast", "--host", "example.com", "--at", "2027-01-31", input: header)
        #expect(outcome.status == .success, "\(outcome.notes)")
        #expect(outcome.output.contains("\"expires\": \"2027-02-01T00:00:00Z\""))
        #expect(await ToolOutcome.of("convert", "--to", "holdfast", input: header).status == .unusableInput)
    }

    // MARK: - explain

    @Test func aRuleIsExplained() async throws {
        let file = try policy()
        let outcome = await ToolOutcome.of("explain", file, "WWW.Example.com.", "--at", "2027-01-31")
        #expect(outcome.status == .success, "\(outcome.notes)")
        #expect(outcome.output.contains("www.example.com under \"shop\" at 2027-01-31T00:00:00Z"))
        #expect(outcome.output.contains("2 pins apply by the rule for example.com"))
        #expect(outcome.output.contains("  sha256/\(one)"))
        let json = await ToolOutcome.of("explain", file, "www.example.com", "--json", "--at", "2027-01-31")
        let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
        #expect(object?["host"] as? String == "www.example.com")
        let rule = (object?["rules"] as? [[String: Any]])?.first
        #expect(rule?["pattern"] as? String == "**.example.com")
        #expect(rule?["counts"] as? Bool == true)
        #expect((rule?["pins"] as? [[String: Any]])?.count == 2)
        let pins = "example.com sha256/\(one)\n"
        let trustKit = try folder.file(
            "tsk.json",
            "{\"TSKPinnedDomains\": {\"example.com\": {\"TSKPublicKeyHashes\": [\"\(one)\", \"\(two)\"], \"Odd\": 1}}}")
        let warned = await ToolOutcome.of("explain", trustKit, "example.com")
        #expect(warned.status == .success)
        #expect(warned.notes.contains("[unknown-key]"))
        #expect(await ToolOutcome.of("explain", "-", "example.com", input: pins).output.contains("1 pin applies by"))
        let unlisted = await ToolOutcome.of("explain", file, "example.org", "--json")
        #expect(unlisted.status == .success)
        #expect(unlisted.output.contains("\"rules\": []"))
        await ToolOutcome.of("explain", file, "a b").expectUnusable("host")
        await ToolOutcome.of("explain", try folder.file("bad", "{"), "example.com").expectUnusable(
            "1:2: expected a key in quotation marks")
    }

    @Test("explain takes a URL for its host")
    func explainURL() async throws {
        let file = try policy()
        let host = await ToolOutcome.of("explain", file, "www.example.com", "--at", "2027-01-31")
        for url in ["https://www.example.com/a?b", "wss://WWW.example.com:8443"] {
            #expect(await ToolOutcome.of("explain", file, url, "--at", "2027-01-31").output == host.output)
        }
        await ToolOutcome.of("explain", file, "http://www.example.com").expectUnusable("only https and wss")
        await ToolOutcome.of("explain", file, "https://a..b").expectUnusable("https://a..b")
    }
}
