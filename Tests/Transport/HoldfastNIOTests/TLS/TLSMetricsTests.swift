import HoldfastNIO
import HoldfastTestSupport
import HoldfastTransportTestSupport
import HoldfastTrust
import Metrics
import MetricsTestKit
import NIOCore
import NIOEmbedded
import Testing

/// Tests the metrics of the factory for an app's own pipelines, in virtual time.
@Suite(.timeLimit(.minutes(1))) struct TLSMetricsTests {
    private let factory = CertificateFactory()
    private let root: Identity
    private let leaf: Identity
    private let rogue: Identity
    private let metrics = TestMetrics()

    init() throws {
        root = try factory.authority("Root")
        leaf = try factory.leaf([TLSPair.host], signedBy: root)
        rogue = try factory.leaf([TLSPair.host], signedBy: factory.authority("Rogue"))
    }

    /// Transfers bytes until the outcome is known, two seconds after the connection was established.
    private func handshake(_ identity: Identity?, trust: TrustContext) async throws {
        let pair = try await TLSPair(
            identity, trust: trust, deadline: .seconds(5), options: TLSClientOptions(metrics: metrics))
        await pair.loop.advanceTime(by: .seconds(2))
        let known = ErrorLog.Flag()
        pair.handshake.outcome.whenComplete { _ in known.set() }
        while !known.isSet, !Task.isCancelled {
            if identity == nil { await pair.loop.advanceTime(by: .seconds(3)) }
            try? await pair.exchange()
            await pair.loop.run()
            await Task.yield()
        }
    }

    private func durations(_ outcome: String) -> [Int64] {
        metrics.timers(
            label: "holdfast.tls.handshake.duration", dimensions: [("peer", "server"), ("outcome", outcome)]
        ).flatMap(\.values)
    }

    @Test func recordsATimerForEachOutcome() async throws {
        let trust = TrustContext.system(anchors: .only([root.view]))
        for _ in 0..<2 { try await handshake(leaf, trust: trust) }
        try await handshake(rogue, trust: trust)
        try await handshake(nil, trust: trust)
        #expect(durations("ok") == [2_000_000_000, 2_000_000_000])
        #expect(durations("refused") == [2_000_000_000])
        #expect(durations("timedOut") == [5_000_000_000])
        // The loop's clock did not advance during verification.
        let verification = "holdfast.verification.duration"
        #expect(metrics.timers(label: verification, dimensions: [("cache", "miss")]).flatMap(\.values) == [0, 0])
        #expect(metrics.timers(label: verification, dimensions: [("cache", "hit")]).flatMap(\.values) == [0])
        #expect(metrics.counterTotal(label: "holdfast.verdicts", dimensions: [("decision", "allow")]) == 2)
        #expect(
            metrics.counterTotal(
                label: "holdfast.verdicts", dimensions: [("decision", "block"), ("finding", "unknownIssuer")]) == 1)
    }

    /// An unknown code of an app's evaluator does not become a label.
    @Test func labelsComeFromAFixedList() async throws {
        let made = TrustFinding(.init(rawValue: TLSPair.host), "")
        let inner = TrustContext.system(anchors: .only([root.view]))
        let trust = TrustContext(name: "own") { chain, subject, time in
            .later {
                let verdict = await inner.judge(chain, for: subject, at: time).verdict()
                return TrustVerdict(
                    decision: verdict.decision, finding: made, systemFinding: verdict.systemFinding, subject: subject,
                    policyName: verdict.policyName, path: verdict.path, presented: chain, time: time)
            }
        }
        try await handshake(leaf, trust: trust)
        let labels = metrics.counters(label: "holdfast.verdicts").map { $0.dimensions.map(\.1) }
        #expect(labels == [["server", "allow", "other"]])
    }

    /// The no-op factory is never asked for a handle, and the clock is not read for it.
    @Test func makesNothingForTheNoOpFactory() {
        #expect(TLSMetrics(NOOPMetricsHandler.instance) == nil)
        #expect(TLSMetrics(metrics) != nil)
        #expect(metrics.counters.isEmpty && metrics.timers.isEmpty)
    }
}
