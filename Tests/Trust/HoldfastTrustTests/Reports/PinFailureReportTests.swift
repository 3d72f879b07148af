import Foundation
import HoldfastTestSupport
@testable import HoldfastTrust
import Testing

/// Tests the contents of reports in the JSON formats of TrustKit and RFC 7469.
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

    @Test func trustKitReportHasEveryField() throws {
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

    @Test func hpkpReportHasEveryField() throws {
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

    @Test func redactionRemovesNamedFields() throws {
        let report = try failure()
        let json = try object(
            report.trustKitJSON(from: identity, redaction: [.installation, .hostname, .certificates]))
        #expect(json["app-vendor-id"] as? String == "")
        #expect(json["hostname"] as? String == json["noted-hostname"] as? String)
        #expect((json["validated-certificate-chain"] as? [String])?.isEmpty == true)
    }

    @Test func chainRedactionKeepsTheServersCertificate() throws {
        let report = try failure()
        let trustKit = try object(report.trustKitJSON(from: identity, redaction: .chain))
        let chain = try #require(trustKit["validated-certificate-chain"] as? [String])
        let pem = try #require(chain.first)
        #expect(chain.count == 1)
        #expect(try CertificateLoading.certificate(in: Array(pem.utf8)) == leaf.view)
        let hpkp = try object(report.hpkpJSON(redaction: .chain))
        #expect((hpkp["served-certificate-chain"] as? [String])?.count == 1)
        #expect((hpkp["validated-certificate-chain"] as? [String])?.count == 1)
        let none = try object(report.trustKitJSON(from: identity, redaction: [.chain, .certificates]))
        #expect((none["validated-certificate-chain"] as? [String])?.isEmpty == true)
    }

    @Test func policyVersionIsOptional() throws {
        let report = try failure()
        #expect(try object(report.trustKitJSON(from: identity))["holdfast-policy-version"] == nil)
        let json = try object(report.trustKitJSON(from: identity, policyVersion: 7))
        #expect(json["holdfast-policy-version"] as? Int == 7)
    }

    @Test func doesNotReportSuccessOrUnpinnedHost() throws {
        let good = try scene.policy([Pin(leaf)])
        #expect(PinFailureReport(try scene.pinned([leaf], anchors: [root], under: good)) == nil)
        #expect(PinFailureReport(try scene.system([leaf], anchors: [root])) == nil)
        let stranger = try scene.factory.leaf([TrustScene.host], signedBy: nil)
        let chainFailure = PinFailureReport(try scene.pinned([stranger], anchors: [root], under: good))
        #expect(chainFailure?.result == .failedInvalidCertificateChain)
        #expect(chainFailure?.destinations == [])
    }

    @Test func chainFailureHasServedChainOnly() throws {
        let good = try scene.policy([Pin(leaf)])
        let stranger = try scene.factory.leaf([TrustScene.host], signedBy: nil)
        let chain = PresentedChain(der: [stranger.certificateDER, [1, 2, 3], root.certificateDER])
        let verdict = TrustEngine(anchors: .only([leaf.view])).evaluate(
            chain, for: try scene.subject(), at: scene.now, under: good)
        let report = try #require(PinFailureReport(verdict))
        #expect(report.result == .failedInvalidCertificateChain)
        let hpkp = try object(report.hpkpJSON())
        let served = try #require(hpkp["served-certificate-chain"] as? [String])
        #expect(served.count == 3, "unreadable certificates were served as well")
        #expect(try PEMReader.blocks(in: Array(served[1].utf8)).map(\.der) == [[1, 2, 3]])
        #expect((hpkp["validated-certificate-chain"] as? [String])?.isEmpty == true)
        let trustKit = try object(report.trustKitJSON(from: identity))
        #expect(trustKit["validation-result"] as? Int == 2)
    }

    @Test func fieldsHaveExpectedTypes() throws {
        let report = try failure { rule in
            rule.enforcement = .reportOnly
            rule.pattern = HostPattern(rule.host, depth: .apexAndAnyDepth)
        }
        let json = try object(report.trustKitJSON(from: identity))
        #expect(json["enforce-pinning"] as? Bool == false)
        #expect(json["include-subdomains"] as? Bool == true)
        #expect(json["trustkit-version"] as? String == "3.0.0")
        #expect(json["app-platform"] as? String == "LINUX")
        #expect(json["app-platform-version"] as? String == "6.1.0")
        #expect(json["app-bundle-id"] as? String == "com.example.shop")
        #expect(json["app-version"] as? String == "2.1")
        #expect(json["app-vendor-id"] as? String == "V-1")
        #expect(json["noted-hostname"] as? String == TrustScene.host)
        #expect(json["known-pins-expiration-date"] is NSNull)
        let hpkp = try object(report.hpkpJSON())
        #expect(hpkp["port"] as? Int == 0)
        #expect(hpkp["known-pins"] as? [String] == json["known-pins"] as? [String])
    }

    @Test func hashInBothDomainsIsOneKnownPin() throws {
        let digest = SPKIDigest(hashing: [1])
        let policy = try scene.policy([Pin(digest), Pin(digest.sha256, domain: .rawKey)])
        let report = try #require(PinFailureReport(try scene.pinned([leaf], anchors: [root], under: policy)))
        let json = try object(report.trustKitJSON(from: identity))
        #expect(json["known-pins"] as? [String] == ["pin-sha256=\"\(digest.base64)\""])
    }

    @Test func bypassIsNotReported() throws {
        var rule = PinningRule(host: try CanonicalHost(TrustScene.host), pins: PinSet([Pin(SPKIDigest(hashing: [1]))]))
        rule.reportURIs = ["https://reports.example.com/"]
        let policy = try PinningPolicy(
            name: "p", rules: [rule], anchors: .dangerouslyBypassingPins([root.view]), backupPins: .off)
        let verdict = TrustEngine(anchors: .only([])).evaluate(
            scene.chain([leaf]), for: try scene.subject(), at: scene.now, under: policy)
        #expect(TrustKitResult(verdict) == .failedUserDefinedTrustAnchor)
        #expect(PinFailureReport(verdict) == nil)
    }
}
