import HoldfastBase
import HoldfastNIO
import HoldfastTransport
import HoldfastTrust

/// What became of the connection of a client that trusts as it was told to.
enum ProbeOutcome: Hashable, Sendable {
    /// It stands.
    case allowed
    /// The server was refused, by this finding.
    case refused(ProbeVerdict.Finding)
    /// There is no verdict: the server was not reached, its handshake did not get as far as a certificate, or there was nothing
    /// to judge it by.
    case failed(ProbeFailure)

    /// Findings that are no word on a server: a deadline that passed in the judgement, and a machine without one root, which
    /// refuses every server.
    private static let ownFindings: Set<TrustFinding.Code> = [.evaluationTimedOut, .noTrustAnchors]

    init(_ result: Result<ConnectionFacts, TransportError>) {
        switch result {
        case .success: self = .allowed
        case .failure(let error):
            // A proxy that was refused is no refused server: nobody has asked that one.
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

/// A verdict on a server as a probe shows it. All text is safe to print.
struct ProbeVerdict: Hashable, Sendable {
    /// A finding: its code and its sentence.
    struct Finding: Hashable, Sendable {
        var code: String
        var reason: String

        init(_ finding: TrustFinding) {
            code = finding.code.rawValue
            reason = Printable.text(finding.reason)
        }
    }

    /// What judged: `system`, or the policy's name.
    var judge: String
    /// Whether a connection may be used.
    var permits: Bool
    /// What follows: `allow`, `block`, `notPinned`.
    var decision: String
    /// What the judge found.
    var finding: Finding
    /// The code of what decided: that of the system verification, where no pin applies and it refuses the server.
    var decidingCode: String
    /// What the system verification found, where it is something else.
    var system: Finding?
    /// What did not decide.
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
    /// What lets the server through, or refuses it: where no pin applies, a refusal is the system verification's.
    var decidingFinding: TrustFinding {
        decision == .notPinned && !permitsConnection ? systemFinding ?? finding : finding
    }
}

/// Why there is no verdict on a server.
struct ProbeFailure: Hashable, Sendable {
    /// The kind of failure: stable, and a safe metric label. `tls.` in front of it: the handshake failed that way.
    var code: String
    /// One sentence, safe to print.
    var reason: String

    init(code: String, reason: String) {
        self.code = code
        self.reason = Printable.text(ErrorText.plain(reason))
    }

    init(_ error: TransportError) {
        guard error.phase != .proxy else {
            // The handshake and the verdict are the proxy's.
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
