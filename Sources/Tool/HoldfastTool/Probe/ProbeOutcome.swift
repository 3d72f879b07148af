import HoldfastBase
import HoldfastNIO
import HoldfastTransport
import HoldfastTrust

/// The outcome of a connection with the configured trust.
enum ProbeOutcome: Hashable, Sendable {
    /// The connection was allowed.
    case allowed
    /// The server was refused, with this finding.
    case refused(ProbeVerdict.Finding)
    /// The server has no verdict: it was not reached, it sent no certificate, or it could not be evaluated.
    case failed(ProbeFailure)

    /// Findings that do not concern the server: a timeout of the evaluation, and a machine without roots, which refuses
    /// every server.
    private static let ownFindings: Set<TrustFinding.Code> = [.evaluationTimedOut, .noTrustAnchors]

    init(_ result: Result<ConnectionFacts, TransportError>) {
        switch result {
        case .success: self = .allowed
        case .failure(let error):
            // A refused proxy is not a refused server, because the server was not contacted.
            if error.phase != .proxy, let finding = error.verdict?.decidingFinding,
                !Self.ownFindings.contains(finding.code)
            {
                self = .refused(ProbeVerdict.Finding(finding))
            } else {
                self = .failed(ProbeFailure(error))
            }
        }
    }

    /// Whether the connection is allowed; `nil` if there is no verdict.
    var permits: Bool? {
        switch self {
        case .allowed: true
        case .refused: false
        case .failed: nil
        }
    }
}

/// A verdict on a server in a probe's report. All text is safe to print.
struct ProbeVerdict: Hashable, Sendable {
    /// A finding: its code and its reason.
    struct Finding: Hashable, Sendable {
        var code: String
        var reason: String

        init(_ finding: TrustFinding) {
            code = finding.code.rawValue
            reason = Printable.text(finding.reason)
        }
    }

    /// The judge's name: `system`, or the policy's name.
    var judge: String
    /// Whether the connection may be used.
    var permits: Bool
    /// The decision: `allow`, `block` or `notPinned`.
    var decision: String
    /// The judge's finding.
    var finding: Finding
    /// The deciding code: that of the system verification if no pin applies and the system verification refuses the
    /// server.
    var decidingCode: String
    /// The system verification's finding, if it differs.
    var system: Finding?
    /// Findings that did not decide.
    var notices: [Finding]

    init(_ verdict: TrustVerdict, judge: String) {
        self.judge = Printable.text(judge)
        permits = verdict.permitsConnection
        decision = verdict.decision.rawValue
        finding = Finding(verdict.finding)
        decidingCode = verdict.decidingFinding.code.rawValue
        system = verdict.systemFinding.flatMap { $0 == verdict.finding ? nil : Finding($0) }
        notices = verdict.notices.map(Finding.init)
    }
}

extension TrustVerdict {
    /// The finding that decides. If no pin applies, a refusal comes from the system verification.
    var decidingFinding: TrustFinding {
        decision == .notPinned && !permitsConnection ? systemFinding ?? finding : finding
    }
}

/// Why there is no verdict on a server.
struct ProbeFailure: Hashable, Sendable {
    /// The kind of failure: stable, and a safe metric label. The prefix `tls.` marks a failed handshake.
    var code: String
    /// One sentence, safe to print.
    var reason: String

    init(code: String, reason: String) {
        self.code = code
        self.reason = Printable.text(ErrorText.plain(reason))
    }

    init(_ error: TransportError) {
        guard error.phase != .proxy else {
            // The handshake and the verdict belong to the proxy.
            let code = error.code == .timedOut ? error.code : .proxyFailed
            self.init(code: code.rawValue, reason: error.reason)
            return
        }
        let finding = error.verdict?.decidingFinding
        let attempts = error.attempts.map { " (\($0.address): \($0.reason))" }.joined()
        self.init(
            code: error.handshake.map { "tls." + $0.code.rawValue } ?? finding?.code.rawValue ?? error.code.rawValue,
            reason: finding?.reason ?? (error.reason + (error.attempts.count > 1 ? attempts : "")))
    }
}
