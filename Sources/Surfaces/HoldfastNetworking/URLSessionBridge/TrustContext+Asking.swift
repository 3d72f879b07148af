#if canImport(FoundationNetworking)
import FoundationNetworking
import HoldfastTrust
import Logging

extension TrustContext {
    /// The same context, which then asks a task's delegates about every server that it does not refuse. A server for which no
    /// task is found is refused: nobody could be asked.
    func asking(
        _ find: @escaping @Sendable (TrustSubject) -> ChallengeAsker?, logger: Logger?
    ) -> TrustContext {
        TrustContext(name: name, snapshot: readSnapshot, changes: policyChanges) { chain, subject, time in
            let judgement = judge(chain, for: subject, at: time)
            if case .now(let verdict) = judgement, verdict.decision == .block { return judgement }
            return .later {
                let verdict = await judgement.verdict()
                guard verdict.decision != .block else { return verdict }
                guard let asker = find(subject) else { return verdict.answered(.refused(.nobodyToAsk), logger) }
                let challenge = ServerTrustChallenge(ServerTrust(chain), for: subject)
                return verdict.answered(await asker.answer(challenge), logger)
            }
        }
    }
}
#endif
