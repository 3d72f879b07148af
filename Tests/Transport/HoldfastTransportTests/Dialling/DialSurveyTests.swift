import HoldfastTestSupport
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import NIOCore
import Testing

@Suite("A survey of a server") struct DialSurveyTests {
    private let factory = CertificateFactory()

    private func configuration(_ trust: TrustContext) -> TransportConfiguration {
        TransportConfiguration(
            trust: trust, clock: .fixed(CertificateFactory.referenceTime),
            hostOverrides: ["shop.example": "127.0.0.1"])
    }

    private func target(_ port: UInt16) throws -> DialTarget {
        DialTarget(host: try CanonicalHost("shop.example"), port: port, security: .tls(alpn: []))
    }

    private let deadlines = DialDeadlines(connect: .seconds(30), tls: .seconds(30))

    @Test func everyEvaluatorRunsAndTheFactsAreReportedAfterRefusals() async throws {
        let root = try factory.authority("Root")
        let other = try factory.authority("Other")
        let leaf = try factory.leaf(["other.example"], signedBy: root)
        var settings = ScriptedServer.Settings(tls: ServerTLS(leaf))
        settings.readsRequests = false
        try await ScriptedServer.with(settings) { server in
            let judges = [root, other].map { TrustContext.system(anchors: .only([$0.view])) }
            let late = TrustContext(name: "late") { chain, subject, time in
                .later { await judges[0].judge(chain, for: subject, at: time).verdict() }
            }
            let survey = await DialSurvey.of(
                try target(server.port), judges: judges + [late], configuration: configuration(.system()),
                deadlines: deadlines, on: NetworkDialler.eventLoops.next())
            #expect(survey.verdicts.map(\.finding.code) == [.hostMismatch, .unknownIssuer, .hostMismatch])
            #expect(survey.presented?.certificates == [leaf.view])
            #expect(try survey.connection.get().tlsVersion == "TLSv1.3")
            // The connection is closed.
            await server.waitForClosed(1)
            // The same evaluator refuses a regular connection.
            let result = await DialSurvey.dial(
                try target(server.port), configuration: configuration(judges[0]), deadlines: deadlines,
                on: NetworkDialler.eventLoops.next())
            guard case .failure(let error) = result else {
                Issue.record("connected")
                return
            }
            #expect(error.code == .trustRefused)
            #expect(error.verdict?.finding.code == .hostMismatch)
        }
    }

    @Test func anEvaluatorThatNeverReturnsMeetsTheDeadline() async throws {
        let leaf = try factory.leaf(["shop.example"], signedBy: nil)
        var settings = ScriptedServer.Settings(tls: ServerTLS(leaf))
        settings.readsRequests = false
        try await ScriptedServer.with(settings) { server in
            let forever = TrustContext(name: "forever") { chain, subject, time in
                .later {
                    for await _ in AsyncStream.makeStream(of: Never.self).stream {}
                    return await TrustContext.system(anchors: .only([])).judge(chain, for: subject, at: time).verdict()
                }
            }
            let survey = await DialSurvey.of(
                try target(server.port), judges: [forever], configuration: configuration(.system()),
                deadlines: DialDeadlines(connect: .seconds(30), tls: .milliseconds(50)),
                on: NetworkDialler.eventLoops.next())
            #expect(survey.verdicts.isEmpty)
            guard case .failure(let error) = survey.connection else {
                Issue.record("connected")
                return
            }
            #expect(error.verdict?.finding.code == .evaluationTimedOut || error.code == .timedOut, "\(error)")
        }
    }

    @Test(.timeLimit(.minutes(1))) func aCancelledTaskOpensNoConnection() async throws {
        try await ScriptedServer.with(ScriptedServer.Settings()) { server in
            let target = try target(server.port)
            let configuration = configuration(.system())
            let deadlines = deadlines
            let task = Task {
                while !Task.isCancelled { await Task.yield() }
                return await DialSurvey.dial(
                    target, configuration: configuration, deadlines: deadlines,
                    on: NetworkDialler.eventLoops.next())
            }
            task.cancel()
            guard case .failure(let error) = await task.value else {
                Issue.record("connected")
                return
            }
            #expect(error.code == .cancelled)
            #expect(server.connectionCount == 0)
        }
    }

    @Test(.timeLimit(.minutes(1))) func cancellingEndsADialToASilentServer() async throws {
        try await ScriptedServer.with(ScriptedServer.Settings()) { server in
            let target = try target(server.port)
            let configuration = configuration(.system())
            let patient = DialDeadlines(connect: .seconds(3_600), tls: .seconds(3_600))
            let task = Task {
                await DialSurvey.of(
                    target, judges: [], configuration: configuration, deadlines: patient,
                    on: NetworkDialler.eventLoops.next())
            }
            task.cancel()
            let survey = await task.value
            #expect(throws: TransportError.self) { try survey.connection.get() }
        }
    }
}
