import HoldfastTrust
package import Metrics
import NIOCore

/// What is measured of TLS handshakes and of the judgements in them. The table of `docs/observability.md` is held against it
/// by a test.
package final class TLSMetrics: Sendable {
    /// Whose handshakes are measured.
    package enum Peer: String, Hashable, Sendable, CaseIterable {
        case server, proxy
    }

    private struct VerdictKey: Hashable {
        var decision: TrustDecision
        var finding: String
    }

    private let handshakes: HandleTable<String, Metrics.Timer>
    private let verifications: HandleTable<Bool, Metrics.Timer>
    private let verdicts: HandleTable<VerdictKey, Counter>
    private let notices: HandleTable<String, Counter>

    /// Makes the handles as they are needed. `nil` for a factory that throws everything away: then nothing is measured.
    package init?(_ factory: any MetricsFactory, peer: Peer = .server) {
        guard !(factory is NOOPMetricsHandler) else { return nil }
        let peer = ("peer", peer.rawValue)
        handshakes = HandleTable { outcome in
            Metrics.Timer(
                label: "holdfast.tls.handshake.duration", dimensions: [peer, ("outcome", outcome)], factory: factory)
        }
        verifications = HandleTable { isFromCache in
            Metrics.Timer(
                label: "holdfast.verification.duration",
                dimensions: [peer, ("cache", isFromCache ? "hit" : "miss")], factory: factory)
        }
        verdicts = HandleTable { key in
            Counter(
                label: "holdfast.verdicts",
                dimensions: [peer, ("decision", key.decision.rawValue), ("finding", key.finding)], factory: factory)
        }
        notices = HandleTable { finding in
            Counter(label: "holdfast.verdict.notices", dimensions: [peer, ("finding", finding)], factory: factory)
        }
    }

    /// A handshake has ended: with success, with a refusal, or with a ``HandshakeFailure``.
    func ended(_ error: (any Error)?, after duration: TimeAmount) {
        handshakes[Self.outcome(error)].recordNanoseconds(duration.nanoseconds)
    }

    /// There is a verdict. `duration` is what the handshake waited for it, if the server's certificates were judged at all.
    func decided(_ verdict: TrustVerdict, after duration: TimeAmount?) {
        if let duration { verifications[verdict.isFromCache].recordNanoseconds(duration.nanoseconds) }
        // A verdict from the cache counts as any other: a report-only mismatch is seen on every connection.
        verdicts[VerdictKey(decision: verdict.decision, finding: verdict.finding.code.label)].increment()
        for notice in verdict.notices { notices[notice.code.label].increment() }
    }

    /// The label for what a handshake came to.
    package static func outcome(_ error: (any Error)?) -> String {
        switch error {
        case nil: "ok"
        case is TrustRefusal: "refused"
        case let failure as HandshakeFailure: failure.code.label
        default: "other"
        }
    }
}
