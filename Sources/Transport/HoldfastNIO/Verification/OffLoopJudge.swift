package import HoldfastTrust
import NIOPosix

/// Evaluates the certificates of existing connections on the verification threads.
package enum OffLoopJudge {
    /// Returns the verdict of the current policy on a chain.
    package static func verdict(
        of trust: TrustContext, on chain: PresentedChain, for subject: TrustSubject, at time: Timestamp
    ) async -> TrustVerdict {
        // The threads run as long as the process. If they are unavailable, the evaluation runs on this thread.
        let judgement = try? await VerificationPool.threads.runIfActive { trust.judge(chain, for: subject, at: time) }
        return await (judgement ?? trust.judge(chain, for: subject, at: time)).verdict()
    }
}
