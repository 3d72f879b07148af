package import HoldfastTrust
package import Metrics
import NIOCore

/// The metrics of TLS handshakes and of their evaluations. A test compares them with the table in
/// `docs/observability.md`.
package final class TLSMetrics: Sendable {
    /// The kind of peer whose handshakes are measured.
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

    /// Makes metric handles on demand. Returns `nil` for the no-op factory.
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

    /// Records the end of a handshake: success, a refusal or a ``HandshakeFailure``.
    func ended(_ error: (any Error)?, after duration: TimeAmount) {
        handshakes[Self.outcome(error)].recordNanoseconds(duration.nanoseconds)
    }

    /// Records a verdict. `duration` is how long the handshake waited for it; `nil` if no certificates were evaluated.
    func decided(_ verdict: TrustVerdict, after duration: TimeAmount?) {
        if let duration { verifications[verdict.isFromCache].recordNanoseconds(duration.nanoseconds) }
        // A verdict from the cache counts like any other, so a report-only mismatch is counted for every connection.
        verdicts[VerdictKey(decision: verdict.decision, finding: verdict.finding.code.label)].increment()
        for notice in verdict.notices { notices[notice.code.label].increment() }
    }

    /// Returns the metric label of a handshake's outcome.
    package static func outcome(_ error: (any Error)?) -> String {
        switch error {
        case nil: "ok"
        case is TrustRefusal: "refused"
        case let failure as HandshakeFailure: failure.code.label
        default: "other"
        }
    }
}

extension TrustFinding.Code {
    /// The codes that may label a metric or a span. The type is open, so an app's own evaluator may use other codes.
    package static let labelled = Set(ranking)

    /// The code as a metric label: one of a fixed list, or `other`.
    package var label: String { Self.labelled.contains(self) ? rawValue : "other" }
}
