#if canImport(FoundationNetworking)
public import FoundationNetworking
public import HoldfastTrust
public import Logging

extension TrustContext {
    /// A policy, and a `URLSession` delegate that is asked about every server that the pins do not refuse.
    ///
    /// Pins are decided first. A server that they refuse is refused, and the delegate is not asked. A pinned server that they
    /// accept can still be refused by the delegate. For a host without pins the delegate's `URLCredential(trust:)` of the
    /// presented chain takes the place of the system verification, as Apple documents it; that is logged, as a warning where
    /// the system verification had refused. With `.performDefaultHandling` the system verification decides.
    ///
    /// - Parameters:
    ///   - delegate: Who is asked, on the session's delegate queue.
    ///   - session: The session that the delegate is shown.
    ///   - task: The task that its task-level method is shown; without one, only the session-level method is asked.
    ///   - policy: The pins; without one no host has any.
    ///   - anchors: Where paths may end.
    ///   - logger: Where a replaced system verification is logged.
    public static func delegate(
        _ delegate: any URLSessionDelegate, of session: URLSession, task: URLSessionTask? = nil,
        policy: PinningPolicy? = nil, anchors: TrustAnchors = .system, logger: Logger? = nil
    ) -> TrustContext {
        let engine = TrustEngine(anchors: anchors)
        let name = policy?.name ?? "delegate"
        return TrustContext(name: name) { chain, subject, time in
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
    /// What follows from a delegate's answer.
    func answered(_ answer: ChallengeAnswer, _ logger: Logger?) -> TrustVerdict {
        switch answer {
        case .systemDecides: return self
        case .refused(.nobodyToAsk):
            return refused(
                TrustFinding(.evaluatorRefused, "The session's delegate could not be asked about the server."))
        case .refused(let refusal):
            return refused(
                TrustFinding(
                    .evaluatorRefused, "The session's delegate refused the server (\(refusal.rawValue))."))
        case .accepted where decision == .allow: return self
        case .accepted:
            let overrides = systemFinding?.isFavourable != true
            logger?.log(
                level: overrides ? .warning : .debug, "A delegate took the place of the system verification",
                metadata: [
                    "host": "\(subject?.host.text ?? "")", "finding": "\(systemFinding?.code.rawValue ?? "none")",
                ])
            return accepted(
                inPlaceOfSystemTrust: TrustFinding(
                    .evaluatorAccepted, "The session's delegate accepted the server in the place of system trust."))
        }
    }
}
#endif
