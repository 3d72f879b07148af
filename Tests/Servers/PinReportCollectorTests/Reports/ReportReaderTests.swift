import Foundation
import HoldfastTestSupport
import HoldfastTrust
import PinReports
import Testing

@testable import PinReportCollector

/// Which reports are valid, and which errors invalid ones cause.
@Suite("Reports: reading")
struct ReportReaderTests {
    let sample: Sample
    let limits = PinReportLimits()

    init() throws { sample = try Sample.shared.get() }

    private func read(_ report: [String: any Sendable]) throws -> ReceivedReport {
        try ReportReader.read(try Sample.bytes(report), limits: limits)
    }

    private func fault(_ report: [String: any Sendable]) throws -> ReportFault {
        let bytes = try Sample.bytes(report)
        return try fault(bytes)
    }

    private func fault(_ bytes: [UInt8], limits: PinReportLimits? = nil) throws -> ReportFault {
        do throws(ReportFault) {
            _ = try ReportReader.read(bytes, limits: limits ?? self.limits)
        } catch {
            return error
        }
        throw NothingWrong()
    }

    private struct NothingWrong: Error {}

    // MARK: Valid reports

    @Test func aTrustKitReportIsRead() throws {
        let report = try read(sample.trustKit)
        #expect(report.format == .trustKit)
        #expect(report.reportedAt == Timestamp(iso8601: "2031-03-15T11:59:00Z"))
        #expect(report.host.text == "www.chat.example.com")
        #expect(report.notedHost.text == Sample.host)
        #expect(report.port == 443)
        #expect(report.includesSubdomains)
        #expect(report.isEnforced == true)
        #expect(report.result == .failedNoMatchingPin)
        #expect(report.app?.bundleID == "com.example.shop")
        #expect(report.app?.platformVersion == "18.0.1")
        #expect(report.knownPins == [SPKIDigest(hashing: [1]).base64, SPKIDigest(hashing: [2]).base64])
        #expect(report.expires == Timestamp(iso8601: "2032-01-02"))
        #expect(report.validatedChain.map(\.pin) == [sample.leaf, sample.root].map(\.spkiDigest.base64))
        #expect(report.servedChain == nil)
        #expect(report.unknownMembers.isEmpty)
    }

    @Test func anAndroidReportIsRead() throws {
        let report = try read(sample.android)
        #expect(report.format == .trustKit)
        #expect(report.reportedAt == Timestamp(iso8601: "2031-03-15T11:59:00Z"))
        #expect(report.servedChain?.count == 1)
        #expect(report.app?.platformVersion == nil)
        #expect(report.expires == nil)
    }

    @Test func anRFC7469ReportIsRead() throws {
        let report = try read(sample.hpkp)
        #expect(report.format == .hpkp)
        #expect(report.result == nil)
        #expect(report.isEnforced == nil)
        #expect(report.app == nil)
        #expect(report.servedChain?.count == 1)
        #expect(report.validatedChain.count == 2)
        #expect(report.expires == Timestamp(iso8601: "2031-05-01T12:40:50Z"))
    }

    @Test func readsHoldfastReports() async throws {
        let rule = PinningRule(
            host: try CanonicalHost(Sample.host), pins: PinSet([Pin(SPKIDigest(hashing: [1]))]))
        let policy = try PinningPolicy(name: "test", rules: [rule], backupPins: .off)
        let trust = TrustContext.policy(policy, anchors: .only([sample.root.view]))
        let subject = TrustSubject(host: try CanonicalHost(Sample.host), port: 443)
        let judged = trust.judge(PresentedChain(der: sample.leaf.chain + [[1, 2, 3]]), for: subject, at: Sample.time)
        let report = try #require(PinFailureReport(await judged.verdict()))
        let identity = ReportIdentity(
            bundleID: "com.example", version: "1", vendorID: "V", platform: "LINUX", platformVersion: "6")
        let trustKit = try ReportReader.read(Array(report.trustKitJSON(from: identity).utf8), limits: limits)
        #expect(trustKit.result == .failedNoMatchingPin)
        #expect(trustKit.validatedChain.count == 2)
        let bare = report.trustKitJSON(from: identity, redaction: [.installation, .hostname, .certificates])
        #expect(try ReportReader.read(Array(bare.utf8), limits: limits).validatedChain.isEmpty)
        // The server's certificates are sent unchanged, including unreadable ones.
        let hpkp = try ReportReader.read(Array(report.hpkpJSON().utf8), limits: limits)
        #expect(hpkp.servedChain?.last == .unreadable)
        #expect(hpkp.validatedChain.count == 2)
    }

    @Test func unknownFieldsAreNamed() throws {
        var report = sample.trustKit
        report["new-field"] = [1, 2]
        report["evil\u{1B}[2J"] = true
        #expect(try read(report).unknownMembers == ["evil\\u{1b}[2J", "new-field"])
        for number in 0..<20 { report["field-\(number)"] = number }
        #expect(try fault(report).code == .tooMuch)
    }

    // MARK: Invalid fields

    static let required = [
        "app-bundle-id", "app-version", "app-vendor-id", "app-platform", "trustkit-version", "date-time", "hostname",
        "port", "noted-hostname", "include-subdomains", "enforce-pinning", "validated-certificate-chain", "known-pins",
        "validation-result",
    ]

    @Test(arguments: required) func aMissingFieldIsNamed(_ name: String) throws {
        var report = sample.trustKit
        report[name] = nil
        let found = try fault(report)
        #expect(found.code == .missingField)
        #expect(found.field == name)
    }

    @Test(arguments: required + ["app-platform-version", "known-pins-expiration-date"])
    func wrongTypeIsRefused(_ name: String) throws {
        var report = sample.trustKit
        report[name] = ["a": 1]
        let found = try fault(report)
        #expect(found.code == .wrongType)
        #expect(found.field == name)
        #expect(found.position > .start)
    }

    @Test(arguments: [
        "date-time", "hostname", "port", "effective-expiration-date", "include-subdomains", "noted-hostname",
        "served-certificate-chain", "validated-certificate-chain", "known-pins",
    ])
    func everyFieldOfRFC7469IsChecked(_ name: String) throws {
        var report = sample.hpkp
        report[name] = ["a": 1]
        #expect(try fault(report).field == name)
    }

    static let badValues: [(String, any Sendable)] = [
        ("port", -1), ("port", 65_536), ("port", 1.5), ("port", 1e30), ("validation-result", 6),
        ("validation-result", -1), ("date-time", "2031-03-15"), ("date-time", "yesterday"),
        ("date-time", "2031-02-30T00:00:00Z"), ("date-time", "2031-03-15T11:59:00"),
        ("date-time", "2031-03-15T11:59:00+9900"), ("known-pins-expiration-date", "2031-13-01"),
        ("hostname", ""), ("hostname", "a b"), ("hostname", "'; DROP TABLE report; --"), ("hostname", "a..b"),
        ("hostname", "exa\u{0}mple.com"), ("noted-hostname", "https://example.com"),
        ("app-bundle-id", "line\nbreak"), ("app-version", "\u{0}"),
    ]

    @Test(arguments: badValues.indices) func invalidValueIsRefused(_ index: Int) throws {
        let (name, value) = Self.badValues[index]
        var report = sample.trustKit
        report[name] = value
        let found = try fault(report)
        #expect(found.code == .invalidValue)
        #expect(found.field == name)
    }

    static let badPins = [
        "", "sha256/AAAA", "pin-sha256=\"\"", "pin-sha256=\"AAAA\"", "pin-sha1=\"AAAAAAAAAAAAAAAAAAAAAAAAAAA=\"",
        "pin-sha256=\"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
        "pin-sha256=\"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==\"",
        "pin-sha256=\"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA*=\"", "pin-sha256=\"",
    ]

    @Test(arguments: badPins) func aPinHas32Bytes(_ pin: String) throws {
        var report = sample.trustKit
        report["known-pins"] = ["pin-sha256=\"\(SPKIDigest(hashing: [1]).base64)\"", pin]
        let found = try fault(report)
        #expect(found.code == .invalidValue)
        #expect(found.field == "known-pins[1]")
    }

    @Test func chainMustBePEMCertificates() throws {
        let pem = sample.leaf.certificatePEM
        let bad = [
            "", "no PEM", pem + "\n" + pem, sample.leaf.privateKeyPEM,
            pem.replacingOccurrences(of: "-----END CERTIFICATE-----", with: ""),
            "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----",
        ]
        for text in bad {
            var report = sample.trustKit
            report["validated-certificate-chain"] = [pem, text]
            let found = try fault(report)
            #expect(found.code == .invalidValue, "\(text)")
            #expect(found.field == "validated-certificate-chain[1]")
            #expect(!found.reason.contains("AAAA"))
        }
    }

    // MARK: Limits

    @Test func collectorsLimitsAreTheReadersLimits() {
        #expect(ReportCollectorLimits().report == PinReportLimits())
        var limits = ReportCollectorLimits()
        (limits.bodyBytes, limits.chainLength, limits.certificateBytes) = (1, 2, 3)
        (limits.stringBytes, limits.pins, limits.unknownMembers) = (4, 5, 6)
        var expected = PinReportLimits()
        (expected.bodyBytes, expected.chainLength, expected.certificateBytes) = (1, 2, 3)
        (expected.stringBytes, expected.pins, expected.unknownMembers) = (4, 5, 6)
        #expect(limits.report == expected)
    }

    @Test func everythingHasALimit() throws {
        var report = sample.trustKit
        report["known-pins"] = Array(repeating: "pin-sha256=\"\(SPKIDigest(hashing: [1]).base64)\"", count: 201)
        #expect(
            try fault(report)
                == ReportFault(.tooMuch, "known-pins", try fault(report).position, try fault(report).reason))
        report = sample.trustKit
        report["validated-certificate-chain"] = Array(repeating: sample.leaf.certificatePEM, count: 21)
        #expect(try fault(report).code == .tooMuch)
        report = sample.trustKit
        report["validated-certificate-chain"] = [String(repeating: "\n", count: 40_000)]
        #expect(try fault(report).field == "validated-certificate-chain[0]")
        report = sample.trustKit
        report["app-version"] = String(repeating: "1", count: 513)
        #expect(try fault(report).code == .tooMuch)
    }

    @Test(arguments: ["[", "{\"a\":"]) func deeplyNestedJSONIsRefused(_ part: String) throws {
        let bomb = Array(String(repeating: part, count: 50_000).utf8)
        let found = try fault(bomb)
        #expect(found.code == .invalidJSON)
        #expect(found.reason.contains("nested"))
    }

    @Test(arguments: ["", "{", "nope", "{\"a\":1,\"a\":2}", "{} {}", "\u{FEFF}", "{\"a\":\"\\ud800\"}"])
    func invalidJSONIsRefused(_ text: String) throws {
        #expect(try fault(Array(text.utf8)).code == .invalidJSON)
    }

    @Test(arguments: ["[]", "1", "\"report\"", "null"]) func reportMustBeAnObject(_ text: String) throws {
        #expect(try fault(Array(text.utf8)).code == .wrongType)
    }

    @Test func invalidUTF8IsRefused() throws {
        #expect(try fault([0x7B, 0x22, 0xFF, 0xFE, 0x22, 0x3A, 0x31, 0x7D]).code == .invalidJSON)
    }

    @Test func everyPrefixOfAReportIsRefused() throws {
        let bytes = try Sample.bytes(sample.trustKit)
        for count in stride(from: 0, to: bytes.count, by: 37) {
            #expect(try fault(Array(bytes.prefix(count))).code == .invalidJSON)
        }
    }
}
