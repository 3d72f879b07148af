#if canImport(FoundationNetworking)
import HoldfastTrust
import Logging

extension TrustVerdict {
    /// What follows from a delegate's answer.
    func answered(_ answer: ChallengeAnswer, _ logger: Logger?) -> TrustVerdict {
        var verdict = self
        switch answer {
        case .systemDecides: break
        case .refused(.nobodyToAsk):
            verdict.decision = .block
            verdict.finding = TrustFinding(
                .evaluatorRefused, "The session's delegate could not be asked about the server.")
        case .refused(let refusal):
            verdict.decision = .block
            verdict.finding = TrustFinding(
                .evaluatorRefused, "The session's delegate refused the server (\(refusal.rawValue)).")
        case .accepted where decision == .allow: break
        case .accepted:
            let overrides = systemFinding?.isFavourable != true
            if overrides {
                verdict.notices.append(verdict.finding)
                verdict.finding = TrustFinding(
                    .evaluatorAccepted, "The session's delegate accepted the server in the place of system trust.")
            }
            logger?.log(
                level: overrides ? .warning : .debug, "A delegate took the place of the system verification",
                metadata: [
                    "host": "\(subject?.host.text ?? "")", "finding": "\(systemFinding?.code.rawValue ?? "none")",
                ])
            verdict.decision = .allow
        }
        return verdict
    }
}
#endif
