import HoldfastTestSupport
import HoldfastTrust
import PinReports
import Testing

@testable import PinReportDesk

@Suite("Known policies and decoded reports")
struct KnownPolicyTests {
    private let scene: Scene

    init() throws {
        scene = try Scene.shared.get()
    }

    private func bundle(_ policy: String, rollout: String = "") -> [UInt8] {
        let text = JSONWriter.quoted(policy)
        let payload = """
            {"application": "com.example.shop", "version": 7, "notBefore": "2031-01-01T00:00:00Z",
             "notAfter": "2031-06-01T00:00:00Z", "policy": \(text)\(rollout)}
            """
        return Array(
            """
            {"holdfastBundle": 1, "keyID": "a", "algorithm": "ed25519",
             "payload": "\(Array(payload.utf8).base64)", "signature": "AA=="}
            """.utf8)
    }

    private var policy: String {
        """
        {"holdfast": 1, "name": "shop", "domains": [
          {"host": "example.com", "includesSubdomains": true, "pins": ["\(scene.pin(scene.current))", "\(Scene.backup)"]},
          {"host": "api.example.com", "pins": ["\(scene.pin(scene.changed))", "\(Scene.backup)"]}]}
        """
    }

    @Test func aBundleIsReadWithoutItsKey() throws {
        let known = try #require(KnownPolicy(name: "shop.bundle", contents: bundle(policy)))
        #expect(known.version == 7)
        #expect(known.application == "com.example.shop")
        #expect(known.title == "shop.bundle, version 7")
        #expect(known.notAfter == Timestamp(iso8601: "2031-06-01T00:00:00Z"))
        // The most specific rule counts.
        #expect(known.pins(for: scene.host) == [scene.pin(scene.changed), Scene.backup])
        #expect(known.pins(for: try CanonicalHost("www.example.com")).first == scene.pin(scene.current))
        #expect(known.pins(for: try CanonicalHost("example.org")).isEmpty)
    }

    @Test func theStagesOfARolloutAreSorted() throws {
        let rollout = """
            , "rollout": {"stages": [
              {"share": 10000, "begins": "2031-03-20T00:00:00Z"},
              {"share": 100, "begins": "2031-03-10T00:00:00Z", "platforms": ["ios"],
               "appVersions": {"from": "2.0", "through": "2.9"}}, {"share": "x"}]}
            """
        let known = try #require(KnownPolicy(name: "shop.bundle", contents: bundle(policy, rollout: rollout)))
        #expect(known.stages.map(\.share) == [100, 10_000])
        #expect(known.stages.map(\.limits) == ["app versions 2.0 to 2.9; platforms ios", "all"])
    }

    @Test(arguments: [
        "", "{}", "[1]", "{\"holdfastBundle\": 1}", "{\"holdfast\": 1, \"domains\": [{\"host\": \"a b\"}]}",
    ])
    func anythingElseIsNotAPolicy(text: String) {
        #expect(KnownPolicy(name: "x", contents: Array(text.utf8)) == nil)
    }

    @Test func policiesAreSortedAndLimited() throws {
        let policies = try (1...5).map { try scene.policy([scene.pin(scene.current), Scene.backup], version: $0) }
        #expect(PolicyCatalog(policies).policies.map(\.version) == [5, 4, 3, 2, 1])
        let many = Array(repeating: policies[0], count: PolicyCatalog.limit + 1)
        #expect(PolicyCatalog(many).policies.count == PolicyCatalog.limit)
    }

    // MARK: Reports

    @Test func aReportIsDecodedWithItsChain() throws {
        let body = """
            {"date-time": "2031-03-15T11:59:00Z", "hostname": "api.example.com", "port": 443,
             "include-subdomains": false, "noted-hostname": "example.com",
             "served-certificate-chain": [\(JSONWriter.quoted(scene.changed.certificatePEM)), "no certificate"],
             "validated-certificate-chain": [],
             "known-pins": ["pin-sha256=\\"\(Scene.backup.dropFirst(7))\\""]}
            """
        // The reader refuses a text that is not PEM, so that only a valid one reaches the page.
        #expect(throws: ReportFault.self) {
            _ = try DecodedReport(id: 1, receivedAt: Scene.now, body: Array(body.utf8), limits: PinReportLimits())
        }
        let valid = body.replacing(", \"no certificate\"", with: "")
        let report = try DecodedReport(
            id: 1, receivedAt: Scene.now, body: Array(valid.utf8), limits: PinReportLimits())
        #expect(report.validated.certificates.isEmpty)
        #expect(report.chain.leaf?.pin == scene.pin(scene.changed))
        #expect(report.chain.leaf?.names == ["api.example.com", "*.cdn.example.com"])
        #expect(report.expectedPins == [Scene.backup])
        #expect(report.chain.rootName == "CN=Public Root")
    }

    @Test func unreadableCertificatesStayInTheirPlace() {
        let chain = DecodedChain(pem: ["", scene.changed.certificatePEM, "-----BEGIN CERTIFICATE-----\nAA==\n"])
        #expect(chain.certificates.map { $0 == nil } == [true, false, true])
        #expect(chain.leaf == nil)
        #expect(DecodedChain(pem: Array(repeating: "", count: 100)).certificates.count == DecodedChain.limit)
    }
}
