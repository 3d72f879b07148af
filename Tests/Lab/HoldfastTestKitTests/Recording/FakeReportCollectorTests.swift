import Foundation
import HTTPTypes
import HoldfastTestKit
import HoldfastTransport
import HoldfastTrust
import Testing

@Suite("Fake collector", .timeLimit(.minutes(1))) struct FakeReportCollectorTests {
    let site: PinnedSite

    init() throws {
        site = try PinnedSite()
    }

    /// Returns the report about an attacker whom the site's policy refuses.
    private func report(to uri: String) throws -> PinFailureReport {
        let attacker = try PinAttack.wrongKey.handshake(for: site)
        let policy = try site.policy(reportURIs: [uri])
        let evaluation = TrustContext.policy(policy, anchors: site.anchors).judge(
            PresentedChain(der: attacker.chain),
            for: TrustSubject(host: try CanonicalHost(site.host), port: 443), at: site.factory.now)
        guard case .now(let verdict) = evaluation else { throw ClientError("the evaluation is not synchronous") }
        return try #require(PinFailureReport(verdict))
    }

    private func post(_ body: String, to collector: FakeReportCollector, id: String? = nil) async throws -> Int {
        let url = try #require(URL(string: collector.url))
        let client = HTTPClient(configuration: TransportConfiguration(trust: site.trust))
        var request = HTTPRequest(
            method: .post, scheme: url.scheme, authority: "\(url.host() ?? ""):\(url.port ?? 0)", path: url.path(),
            headerFields: [.contentType: "application/json"])
        if let id, let name = HTTPField.Name("Holdfast-Report-ID") { request.headerFields[name] = id }
        return try await client.collect(request, body: .bytes(Array(body.utf8)), upTo: 1 << 16).response.status.code
    }

    private var identity: ReportIdentity {
        ReportIdentity(
            bundleID: "com.example.app", version: "1", vendorID: "", platform: "LINUX", platformVersion: "6.1.0")
    }

    @Test func bothFormatsAreRead() async throws {
        let collector = try await FakeReportCollector.start()
        let report = try report(to: collector.url)
        async let second = collector.firstReports(2)
        #expect(try await post(report.trustKitJSON(from: identity), to: collector) == 201)
        #expect(try await post(report.hpkpJSON(), to: collector) == 201)

        let trustKit = try await collector.nextReport()
        #expect(trustKit.format == .trustKit)
        #expect(trustKit.host == "localhost")
        #expect(trustKit.notedHost == "localhost")
        #expect(trustKit.port == 443)
        #expect(Set(trustKit.knownPins) == Set(site.pins.map(\.base64)))
        #expect(trustKit.result == .failedNoMatchingPin)
        #expect(trustKit.bundleID == "com.example.app")
        let hpkp = try await collector.nextReport()
        #expect(hpkp.format == .hpkp)
        #expect(hpkp.result == nil)
        #expect(hpkp.bundleID == nil)
        #expect(try await second == [trustKit, hpkp])
        #expect(collector.reports == [trustKit, hpkp])
        await collector.stop()
    }

    @Test func holdfastsReporterIsReceived() async throws {
        let collector = try await FakeReportCollector.start(site)
        let folder = FileManager.default.temporaryDirectory.appending(path: "holdfast-reports-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        var configuration = PinFailureReporter.Configuration(folder: folder.path, identity: identity)
        configuration.anchors = site.anchors
        let reporter = PinFailureReporter(configuration: configuration)
        reporter.record(try report(to: collector.url).verdict)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await reporter.run() }
            let report = try await collector.nextReport()
            #expect(report.format == .trustKit)
            #expect(report.host == "localhost")
            group.cancelAll()
        }
        await collector.stop()
    }

    @Test func repeatedReportIsStoredOnce() async throws {
        let collector = try await FakeReportCollector.start()
        let report = try report(to: collector.url)
        let (first, other) = (report.hpkpJSON(), report.trustKitJSON(from: identity))
        #expect(try await post(first, to: collector, id: "a") == 201)
        #expect(try await post(first, to: collector, id: "a") == 200)
        #expect(try await post(other, to: collector, id: "a") == 409)
        #expect(try await post(first, to: collector, id: "a") == 200)
        #expect(try await post(other, to: collector, id: "b") == 201)
        #expect(collector.reports.map(\.format) == [.hpkp, .trustKit])
        await collector.stop()
    }

    @Test func refusedReportsAreNotStored() async throws {
        let collector = try await FakeReportCollector.start()
        let body = try report(to: collector.url).hpkpJSON()
        collector.refuseNext(503, 429)
        #expect(try await post(body, to: collector) == 503)
        #expect(try await post(body, to: collector) == 429)
        #expect(try await post(body, to: collector) == 201)
        #expect(collector.reports.count == 1)
        #expect(collector.requests.count == 3)
        await collector.stop()
    }

    @Test(arguments: [
        "", "[]", "{}", #"{"hostname": 1}"#,
        #"{"hostname":"a","noted-hostname":"a","port":"443","known-pins":[]}"#,
        #"{"hostname":"a","noted-hostname":"a","port":443,"known-pins":["AAAA"]}"#,
        #"{"hostname":"a","noted-hostname":"a","port":443,"known-pins":[],"validation-result":9,"app-bundle-id":"b"}"#,
        #"{"hostname":"a","noted-hostname":"a","port":443,"known-pins":[],"validation-result":1}"#,
    ])
    func invalidReportsFailTheWaitingTest(body: String) async throws {
        let collector = try await FakeReportCollector.start()
        #expect(try await post(body, to: collector) == 400)
        do {
            _ = try await collector.nextReport()
            Issue.record("the report is not valid")
        } catch let error as TestKitError {
            #expect(error.code == .invalidReport)
        }
        #expect(collector.reports.isEmpty)
        await collector.stop()
    }
}
