/// Judges small chains on an event loop: within a small budget, and without reading files.
///
/// BoringSSL's own verification also runs on the event loop, without such limits. A change of threads takes longer than
/// the verification of a usual chain.
struct PromptJudge: Sendable {
    /// An evaluation with a budget.
    typealias Judge = @Sendable (PresentedChain, TrustSubject, Timestamp, VerificationBudget) -> TrustVerdict

    /// The limits of one evaluation on an event loop. A usual chain has two or three certificates of one to two
    /// kilobytes and needs two signature checks, or three with a P-384 key. Larger chains are judged on other threads.
    static let budget: VerificationBudget = {
        var budget = VerificationBudget()
        budget.presentedCertificates = 4
        budget.presentedBytes = 16 * 1_024
        budget.signatureChecks = 3
        budget.candidates = 16
        budget.nameConstraintComparisons = 256
        budget.policySteps = 500
        budget.pathLength = 5
        return budget
    }()

    private let isReady: @Sendable (Timestamp) -> Bool
    private let judge: Judge

    /// Creates a judge.
    ///
    /// - Parameters:
    ///   - isReady: Whether an evaluation at this time reads no file and checks no certificate timestamps.
    ///   - judge: The evaluation.
    init(isReady: @escaping @Sendable (Timestamp) -> Bool, judge: @escaping Judge) {
        self.isReady = isReady
        self.judge = judge
    }

    /// Whether the certificates are within the budget, as far as their number and size show it.
    func applies(to der: [[UInt8]], at time: Timestamp) -> Bool {
        der.count <= Self.budget.presentedCertificates
            && der.reduce(0) { $0 + $1.count } <= Self.budget.presentedBytes && isReady(time)
    }

    /// Returns the verdict if it accepts the server and the budget sufficed.
    func verdict(on chain: PresentedChain, for subject: TrustSubject, at time: Timestamp) -> TrustVerdict? {
        let verdict = judge(chain, subject, time, Self.budget)
        guard verdict.permitsConnection, !verdict.notices.contains(where: { $0.code == .budgetExceeded }) else {
            return nil
        }
        return verdict
    }
}
