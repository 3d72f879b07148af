import HoldfastNIO
import HoldfastTestSupport
import HoldfastTransportTestSupport
import HoldfastTrust
import NIOCore
import NIOEmbedded
import Testing

/// Tests that the TLS deadline bounds every asynchronous evaluator, wherever it is used.
@Suite struct EvaluatorDeadlineTests {
    /// Never answers, and records its cancellation.
    struct Endless: ServerTrustEvaluator, OCSPRequester {
        let asked = Trigger()
        let stopped = Trigger()

        func evaluate(_ trust: ServerTrust, forHost host: String) async throws {
            await hang()
        }

        func response(to request: [UInt8], at url: String) async throws -> [UInt8] {
            await hang()
            return []
        }

        private func hang() async {
            asked.fire()
            try? await Task.sleep(for: .seconds(100_000))  // reason: ends by cancellation
            stopped.fire()
        }
    }

    enum Place: CaseIterable {
        case alone, composite, replacingSystemTrust, revocation
    }

    @Test(arguments: Place.allCases)
    func refusesAnEndlessEvaluatorAtTheDeadline(_ place: Place) async throws {
        let factory = CertificateFactory()
        let root = try factory.authority("Root")
        let leaf = try factory.leaf(
            [TLSPair.host], signedBy: root, .with { $0.extraExtensions = [.ocspResponders("http://ocsp.example/")] })
        let endless = Endless()
        var options = OCSPOptions(failure: .soft)
        options.timeout = .seconds(100_000)
        let evaluator: any ServerTrustEvaluator =
            switch place {
            case .alone: endless
            case .composite: CompositeEvaluator.any([CompositeEvaluator.all([SystemTrustEvaluator(), endless])])
            case .replacingSystemTrust: DangerouslyReplacingSystemTrust(endless)
            case .revocation: OCSPRevocationEvaluator(requester: endless, options: options)
            }
        let pair = try await TLSPair(
            leaf, trust: .evaluators([TLSPair.host: evaluator], anchors: .only([root.view])))
        try await pair.exchange()
        await endless.asked.wait()
        await pair.loop.advanceTime(by: .seconds(30))
        do {
            _ = try await pair.handshake.outcome.get()
            Issue.record("The handshake completed.")
        } catch let error as TrustRefusal {
            #expect(error.verdict.finding.code == .evaluationTimedOut)
        }
        await endless.stopped.wait()
    }
}
