import Foundation
import HoldfastNetworking
import HoldfastTestKit
import HoldfastTransport
import HoldfastTrust
import HoldfastWebSocket
import Testing
import XCTest

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// The samples of Sources/Lab/HoldfastTestKit/Documentation.docc/Testing.md, as an app's tests contain them.
// `TestingPageTests` compares them line by line.

/// The client of an app, which the samples test.
struct APIClient: Sendable {
    private let transport: HTTPClientTransport

    init(policy: PinningPolicy, anchors: TrustAnchors) {
        transport = HTTPClientTransport(
            configuration: TransportConfiguration(trust: .policy(policy, anchors: anchors)))
    }

    /// Returns the status of the response to a request for the URL.
    func status(of url: URL) async throws -> Int {
        try await transport.data(for: URLRequest(url: url)).1.statusCode
    }
}

@Test func clientRefusesAttackers() async throws {
    let trial = try PinningTrial()
    let client = APIClient(policy: trial.policy, anchors: trial.anchors)
    try await trial.requireRefusals { url in try await client.status(of: url) }
}

final class AttackTests: XCTestCase {
    func testClientRefusesAttackers() async throws {
        let trial = try PinningTrial()
        let client = APIClient(policy: trial.policy, anchors: trial.anchors)
        try await trial.requireRefusals { url in try await client.status(of: url) }
    }
}

@Suite("Documents: samples of the testing page", .timeLimit(.minutes(2))) struct TestingPageSamples {
    @Test func report() async throws {
        let trial = try PinningTrial()
        let client = APIClient(policy: trial.policy, anchors: trial.anchors)
        let report = try await trial.report { url in try await client.status(of: url) }
        #expect(report.failures.isEmpty, "\(report)")
        #expect(report[.wrongKey]?.receivedBytes == 0)
    }

    @Test func ownAttack() async throws {
        let weakKey = PinAttack("weakKey", "The attacker's key is RSA with 1024 bits.") { site in
            try LoopbackHandshake(site.certificate(signedBy: site.otherAuthority, .with { $0.keyKind = .rsa1024 }))
        }
        let trial = try PinningTrial(attacks: [weakKey])
        let client = APIClient(policy: trial.policy, anchors: trial.anchors)
        try await trial.requireRefusals { url in try await client.status(of: url) }
    }

    #if canImport(FoundationNetworking)
    @Test func clients() async throws {
        let trial = try PinningTrial()
        // Holdfast's client for URLRequest
        let transport = HTTPClientTransport(configuration: TransportConfiguration(trust: trial.site.trust))
        try await trial.requireRefusals { url in try await transport.data(for: URLRequest(url: url)) }

        // URLSession on Linux
        let session = URLSession(pinnedBy: trial.policy, anchors: trial.anchors)
        try await trial.requireRefusals { url in try await session.data(from: url) }
        session.invalidateAndCancel()
    }
    #endif

    @Test func webSocket() async throws {
        let trial = try PinningTrial(.wss)
        let client = WebSocketClient(configuration: TransportConfiguration(trust: trial.site.trust))
        try await trial.requireRefusals { url in
            let connection = try await client.connect(url.absoluteString)
            try await connection.send(.text("hello"))
            await connection.close()
        }
    }

    @Test func scriptedAnswers() async throws {
        let site = try PinnedSite()
        let server = try await LoopbackServer.start(site)
        server.enqueue(LoopbackAnswer(#"{"id": 7}"#, status: 201), LoopbackAnswer(status: 503), .silence)
        let client = APIClient(policy: site.policy, anchors: site.anchors)
        #expect(try await client.status(of: server.url) == 201)
        #expect(try await server.nextRequest().method == "GET")
        await server.stop()
    }

    @Test func recording() async throws {
        let url = try #require(URL(string: "https://api.example.com/"))
        let transport = RecordingTransport(CannedResponseTransport(string: "{}"))
        _ = try await transport.data(for: URLRequest(url: url))
        #expect(try await transport.nextExchange().request.url == url)
    }

    @Test func reports() async throws {
        let site = try PinnedSite()
        let collector = try await FakeReportCollector.start()
        let policy = try site.policy(reportURIs: [collector.url])
        try await send(to: collector, policy, site)
        let report = try await collector.nextReport()
        #expect(report.result == .failedNoMatchingPin)
        await collector.stop()
    }

    /// Sends the report of a policy about an attacker.
    private func send(to collector: FakeReportCollector, _ policy: PinningPolicy, _ site: PinnedSite) async throws {
        let evaluation = TrustContext.policy(policy, anchors: site.anchors).judge(
            PresentedChain(der: try PinAttack.wrongKey.handshake(for: site).chain),
            for: TrustSubject(host: try CanonicalHost(site.host), port: 443), at: site.factory.now)
        let report = try #require(PinFailureReport(await evaluation.verdict()))
        var request = URLRequest(url: try #require(URL(string: collector.url)))
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        let identity = ReportIdentity(
            bundleID: "com.example.app", version: "1", vendorID: "", platform: "LINUX", platformVersion: "6.1.0")
        request.httpBody = Data(report.trustKitJSON(from: identity).utf8)
        _ = try await HTTPClientTransport().data(for: request)
    }
}
