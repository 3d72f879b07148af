import Foundation
import HoldfastTestSupport
@testable import HoldfastTrust
import Testing

/// What is reported, in TrustKit's and RFC 7469's JSON, and how often.
@Suite("Pin-failure reports")
struct PinFailureReportTests {
    let scene = TrustScene()
    let root: Identity
    let leaf: Identity
    let identity = ReportIdentity(
        bundleID: "com.example.shop", version: "2.1", vendorID: "V-1", platform: "LINUX", platformVersion: "6.1.0")

    init() throws {
        root = try scene.factory.authority("Root")
        leaf = try scene.factory.leaf([TrustScene.host], signedBy: root)
    }

    private func failure(_ change: (inout PinningRule) -> Void = { _ in }) throws -> PinFailureReport {
        let other = Pin(SPKIDigest(hashing: [1]))
        let policy = try scene.policy([other]) { rule in
            rule.reportURIs = ["https://reports.example.com/"]
            change(&rule)
        }
        return try #require(PinFailureReport(try scene.pinned([leaf], anchors: [root], under: policy)))
    }

    private func object(_ text: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    @Test func aTrustKitReportHasEveryField() throws {
        let report = try failure { $0.expires = Timestamp(iso8601: "2032-01-02T03:04:05Z") }
        let json = try object(report.trustKitJSON(from: identity))
        #expect(
            Set(json.keys) == [
                "app-bundle-id", "app-version", "app-vendor-id", "app-platform", "app-platform-version",
                "trustkit-version", "date-time", "hostname", "port", "noted-hostname", "include-subdomains",
                "enforce-pinning", "validated-certificate-chain", "known-pins", "known-pins-expiration-date",
                "validation-result",
            ])
        #expect(json["date-time"] as? String == "2031-03-15T12:00:00Z")
        #expect(json["hostname"] as? String == TrustScene.host)
        #expect(json["port"] as? Int == 0)
        #expect(json["validation-result"] as? Int == 1)
        #expect(json["enforce-pinning"] as? Bool == true)
        #expect(json["known-pins-expiration-date"] as? String == "2032-01-02")
        #expect(json["known-pins"] as? [String] == ["pin-sha256=\"\(SPKIDigest(hashing: [1]).base64)\""])
        let chain = try #require(json["validated-certificate-chain"] as? [String])
        #expect(chain.count == 2)
        #expect(chain[0].hasPrefix("-----BEGIN CERTIFICATE-----\nM"))
        #expect(chain[0].contains("\r\n"))
        #expect(chain[0].hasSuffix("\n-----END CERTIFICATE-----"))
        let again = try CertificateLoading.certificate(in: Array(chain[0].utf8))
        #expect(again == leaf.view)
    }

    @Test func anHPKPReportHasEveryField() throws {
        let json = try object(try failure().hpkpJSON())
        #expect(
            Set(json.keys) == [
                "date-time", "hostname", "port", "effective-expiration-date", "include-subdomains", "noted-hostname",
                "served-certificate-chain", "validated-certificate-chain", "known-pins",
            ])
        #expect((json["served-certificate-chain"] as? [String])?.count == 1)
        #expect((json["validated-certificate-chain"] as? [String])?.count == 2)
        #expect(json["effective-expiration-date"] is NSNull)
    }

    @Test func redactionLeavesOutWhatItNames() throws {
        let report = try failure()
        let json = try object(
            report.trustKitJSON(from: identity, redaction: [.installation, .hostname, .certificates]))
        #expect(json["app-vendor-id"] as? String == "")
        #expect(json["hostname"] as? String == json["noted-hostname"] as? String)
        #expect((json["validated-certificate-chain"] as? [String])?.isEmpty == true)
    }

    @Test func aSuccessAndAnUnpinnedHostAreNotReported() throws {
        let good = try scene.policy([Pin(leaf)])
        #expect(PinFailureReport(try scene.pinned([leaf], anchors: [root], under: good)) == nil)
        #expect(PinFailureReport(try scene.system([leaf], anchors: [root])) == nil)
        let stranger = try scene.factory.leaf([TrustScene.host], signedBy: nil)
        let chainFailure = PinFailureReport(try scene.pinned([stranger], anchors: [root], under: good))
        #expect(chainFailure?.result == .failedInvalidCertificateChain)
        #expect(chainFailure?.destinations == [])
    }

    @Test func theSameReportIsSentOnceADay() throws {
        let report = try failure()
        var ledger = ReportLedger()
        #expect(ledger.admit(report, at: scene.now, entropy: 0) == .send)
        #expect(ledger.admit(report, at: scene.now.advanced(bySeconds: 86_399), entropy: 0) == .duplicate)
        #expect(ledger.admit(report, at: scene.now.advanced(bySeconds: 86_400), entropy: 0) == .send)
    }

    @Test func theMemorySurvivesARestart() throws {
        let report = try failure()
        var ledger = ReportLedger()
        _ = ledger.admit(report, at: scene.now, entropy: 0)
        var restarted = ReportLedger(state: ledger.state)
        #expect(restarted == ledger)
        #expect(restarted.admit(report, at: scene.now.advanced(bySeconds: 10), entropy: 0) == .duplicate)
    }

    @Test func aClockThatGoesBackDoesNotOpenTheGate() throws {
        let report = try failure()
        var ledger = ReportLedger()
        _ = ledger.admit(report, at: scene.now, entropy: 0)
        #expect(ledger.admit(report, at: scene.now.advanced(bySeconds: -1_000_000), entropy: 0) == .duplicate)
    }

    @Test func anHourHasItsLimit() throws {
        var limits = ReportLedger.Limits()
        limits.reportsPerHour = 2
        var ledger = ReportLedger(limits: limits)
        for host in ["a.example.com", "b.example.com", "c.example.com"] {
            let leaf = try scene.factory.leaf([host], signedBy: root)
            let rule = PinningRule(host: try CanonicalHost(host), pins: PinSet([Pin(SPKIDigest(hashing: [1]))]))
            let policy = try PinningPolicy(name: "p", rules: [rule], backupPins: .off)
            let report = try #require(
                PinFailureReport(try scene.pinned([leaf], anchors: [root], under: policy, host: host)))
            let expected: ReportLedger.Admission = host.hasPrefix("c") ? .rateLimited : .send
            #expect(ledger.admit(report, at: scene.now, entropy: 0) == expected)
        }
    }

    @Test func samplingDrawsItsShare() throws {
        var limits = ReportLedger.Limits()
        limits.sampledMillionths = 250_000
        let report = try failure()
        var generator = SeededGenerator(seed: 5)
        let sent = (0..<4_000).count { _ in
            var ledger = ReportLedger(limits: limits)
            return ledger.admit(report, at: scene.now, entropy: generator.next()) == .send
        }
        #expect((800...1_200).contains(sent))
    }

    @Test func bytesThatAreNoMemoryAreIgnoredAndNeverTrap() throws {
        var generator = SeededGenerator(seed: 9)
        let report = try failure()
        for length in 0..<200 {
            let bytes = Array("HFRL1\n".utf8) + (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
            var ledger = ReportLedger(state: bytes)
            _ = ledger.admit(report, at: scene.now, entropy: generator.next())
        }
    }
}
