import HoldfastTestSupport
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import Synchronization
import Testing

@testable import HoldfastTool

@Suite("holdfast probe: revocation", .timeLimit(.minutes(2))) struct ProbeRevocationTests {
    /// Returns lists by URL.
    private struct Lists: RevocationListRequester {
        struct Missing: Error {}

        var lists: [String: [UInt8]]

        func revocationList(at url: String, upTo limit: Int) async throws -> [UInt8] {
            guard let list = lists[url] else { throw Missing() }
            return list
        }
    }

    private static let url = "http://lists.example/issuing.crl"

    private func report(
        _ mode: ProbeRevocation, revoked: Bool = false, lists isReachable: Bool = true
    ) async throws -> ProbeReport {
        let stage = try ProbeStage(.with { $0.extraExtensions = [.distributionPoints(Self.url)] })
        var draft = RevocationListDraft(issuer: stage.intermediate, now: ProbeStage.now)
        if revoked { draft.entries = [.init(stage.leaf, reason: 1)] }
        let lists = Lists(lists: isReachable ? [Self.url: try draft.der()] : [:])
        var prober = stage.prober
        if var options = mode.options(timeout: prober.timeout) {
            options.scope = .serverCertificate
            prober.revocation = RevocationEvaluator(lists: lists, ocsp: nil, options: options)
        }
        let settled = prober
        return try await stage.serving { port in
            await settled.probe(ProbeTarget(host: try CanonicalHost(ProbeStage.host), port: port))
        }
    }

    @Test("a revoked server is refused, with reason and time", arguments: [ProbeRevocation.soft, .hard])
    func revoked(mode: ProbeRevocation) async throws {
        let report = try await report(mode, revoked: true)
        #expect(report.status == .failure)
        let verdict = try #require(report.verdicts.last)
        #expect(!verdict.permits && verdict.finding.code == "revoked")
        #expect(verdict.finding.reason.contains("keyCompromise"))
        #expect(report.text().contains("refused (revoked)"))
        #expect(!report.warnings.contains { $0.code == .differingAnswers })
    }

    @Test("a good list is shown in text and in JSON", arguments: [ProbeRevocation.soft, .hard])
    func good(mode: ProbeRevocation) async throws {
        let report = try await report(mode)
        #expect(report.status == .success)
        #expect(report.verdicts.last?.notices.map(\.code) == ["notRevoked"])
        #expect(report.text().contains("also: notRevoked:"))
        #expect(ProbeReport.json([report]).contains("notRevoked"))
    }

    @Test("without a list, hard refuses and soft allows with a notice; off asks nobody")
    func missing() async throws {
        let hard = try await report(.hard, lists: false)
        #expect(hard.status == .failure && hard.verdicts.last?.finding.code == "revocationUnavailable")
        let soft = try await report(.soft, lists: false)
        #expect(soft.status == .success && soft.verdicts.last?.notices.map(\.code) == ["revocationUnavailable"])
        let off = try await report(.off, revoked: true)
        #expect(off.status == .success && off.verdicts.last?.notices.isEmpty == true)
    }

    @Test("the command never asks a local address")
    func command() async throws {
        let asked = try await ScriptedServer.start { _ in [.respond("x")] }
        let stage = try ProbeStage(
            .with { $0.extraExtensions = [.distributionPoints("http://127.0.0.1:\(asked.port)/x.crl")] })
        let hard = try await stage.probe(nil, "--revocation", "hard", "--json")
        #expect(hard.status == .failure && hard.output.contains("revocationUnavailable"))
        let off = try await stage.probe(nil, "--json")
        #expect(off.status == .success && !off.output.contains("revocation"))
        #expect(asked.requests.isEmpty)
        try await asked.stop()
    }
}
