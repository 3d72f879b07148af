#if canImport(FoundationNetworking)
public import FoundationNetworking
public import HoldfastTrust
public import Logging

extension TrustContext {
    /// Makes a context from a policy and a `URLSession` delegate that is asked about every server that the pins do not
    /// refuse.
    ///
    /// The pins decide first. If they refuse a server, the delegate is not asked. If they accept it, the delegate can
    /// still refuse it.
    ///
    /// For a host without pins, a `URLCredential(trust:)` of the presented chain replaces the system verification, as
    /// Apple documents. This is logged, as a warning if the system verification refused the server. With
    /// `.performDefaultHandling`, the system verification decides.
    ///
    /// - Parameters:
    ///   - delegate: The delegate, called on the session's delegate queue.
    ///   - session: The session that the delegate receives.
    ///   - task: The task that the task-level method receives. Without it, only the session-level method is called.
    ///   - policy: The pins; `nil` for no pins.
    ///   - anchors: The certificates in which verified paths may end.
    ///   - logs: The certificate transparency logs for rules of the policy that require certificate timestamps. Without
    ///     them, the hosts of these rules are refused with `logListMissing`, and the delegate is not asked.
    ///   - certificatePolicies: The inputs of the system verification for certificate policies. For a host without
    ///     pins, a delegate that replaces the system verification replaces this check as well.
    ///   - logger: Logs when a delegate replaces the system verification.
    public static func delegate(
        _ delegate: any URLSessionDelegate, of session: URLSession, task: URLSessionTask? = nil,
        policy: PinningPolicy? = nil, anchors: TrustAnchors = .system, logs: TransparencyLogHolder? = nil,
        certificatePolicies: CertificatePolicyInputs = .anyPolicy, logger: Logger? = nil
    ) -> TrustContext {
        let engine = TrustEngine(anchors: anchors, certificatePolicies: certificatePolicies)
        let name = policy?.name ?? "delegate"
        return TrustContext(name: name) { chain, subject, time in
            let engine = engine.with(logs)
            let verdict: TrustVerdict
            if let policy {
                verdict = engine.evaluate(chain, for: subject, at: time, under: policy)
            } else {
                verdict = engine.evaluateWithoutPins(chain, for: subject, at: time, named: name)
            }
            guard verdict.decision != .block else { return .now(verdict) }
            return .later {
                let challenge = ServerTrustChallenge(ServerTrust(chain), for: subject)
                let answer = await challenge.answer(from: delegate, of: session, task: task)
                return verdict.answered(answer, logger)
            }
        }
    }
}

extension TrustVerdict {
    /// Returns the verdict after the delegate's answer.
    func answered(_ answer: ChallengeAnswer, _ logger: Logger?) -> TrustVerdict {
        switch answer {
        case .systemDecides: return self
        case .refused(.nobodyToAsk):
            return refused(
                TrustFinding(
                    .evaluatorRefused, "The session's delegate could not be asked about the server, so it is refused."))
        case .refused(let refusal):
            return refused(
                TrustFinding(
                    .evaluatorRefused, "The session's delegate refused the server (\(refusal.rawValue))."))
        case .accepted where decision == .allow: return self
        case .accepted:
            let overrides = systemFinding?.isFavourable != true
            logger?.log(
                level: overrides ? .warning : .debug, "A delegate replaced the system verification",
                metadata: [
                    "host": "\(subject?.host.text ?? "")", "finding": "\(systemFinding?.code.rawValue ?? "none")",
                ])
            return accepted(
                inPlaceOfSystemTrust: TrustFinding(
                    .evaluatorAccepted, "The session's delegate accepted the server instead of the system verification."
                ))
        }
    }
}
#endif
