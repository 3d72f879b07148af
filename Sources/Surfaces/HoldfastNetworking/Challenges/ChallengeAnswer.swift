/// The meaning of a delegate's answer to a server-trust challenge.
public enum ChallengeAnswer: Hashable, Sendable {
    /// The reason why an answer refuses the server.
    public enum Refusal: String, Hashable, Sendable, CaseIterable {
        /// The delegate cancelled the challenge or rejected the protection space.
        case cancelled
        /// The delegate answered `.useCredential` without a credential.
        case noCredential
        /// The delegate answered `.useCredential` with a credential that was not made from the presented chain, such as
        /// one for another chain or a user name and password.
        case otherCredential
        /// The completion handler was released without a call, or the waiting task was cancelled.
        case unanswered
        /// The completion handler was called twice before the delegate's method returned, so the intended answer is
        /// unknown.
        case answeredTwice
        /// No delegate could be asked. Either no task of the session is waiting for the server, because an idle
        /// connection was re-evaluated after a policy change, or the session has lost its delegate.
        case nobodyToAsk
    }

    /// The delegate accepted the presented chain with `URLCredential(trust:)`.
    case accepted
    /// The delegate left the decision to the system verification.
    case systemDecides
    /// The connection must be refused.
    case refused(Refusal)
}
