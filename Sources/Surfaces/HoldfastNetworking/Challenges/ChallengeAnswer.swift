/// What a delegate's answer to a server-trust challenge comes to.
public enum ChallengeAnswer: Hashable, Sendable {
    /// Why an answer refuses.
    public enum Refusal: String, Hashable, Sendable, CaseIterable {
        /// The delegate cancelled, or rejected the protection space.
        case cancelled
        /// `.useCredential` without a credential.
        case noCredential
        /// `.useCredential` with a credential that is not made from the presented chain: of another chain, or with a
        /// user's name and password.
        case otherCredential
        /// The completion handler was thrown away, or the task that waited for it was cancelled.
        case unanswered
        /// The completion handler was called again before the delegate's method had returned: which of the answers is meant
        /// cannot be known.
        case answeredTwice
        /// No task of the session waits for the server: its connection was idle when the policy changed. Or the session has
        /// lost its delegate.
        case nobodyToAsk
    }

    /// The delegate accepts the chain: `URLCredential(trust:)` of the chain that was presented.
    case accepted
    /// The delegate leaves it to the system verification.
    case systemDecides
    /// The connection is to be refused.
    case refused(Refusal)
}
