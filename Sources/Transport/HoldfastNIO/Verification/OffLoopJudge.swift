package import HoldfastTrust
import NIOPosix

/// Judges certificates of connections that stand already, on the threads that verify.
package enum OffLoopJudge {
    /// The verdict on a chain, by the policy that is in force now.
    package static func verdict(
        of trust: TrustContext, on chain: PresentedChain, for subject: TrustSubject, at time: Timestamp
    ) async -> TrustVerdict {
        // The threads run for the life of the process; without one the judgement is made here.
        let judgement = try? await VerificationPool.threads.runIfActive { trust.judge(chain, for: subject, at: time) }
        return await (judgement ?? trust.judge(chain, for: subject, at: time)).verdict()
    }
}
