/// What a policy says about one host at one time.
struct PolicyResolution: Hashable, Sendable {
    /// What applies.
    enum Outcome: Hashable, Sendable {
        /// Pinning is switched off, for this reason.
        case disabled(String)
        /// No rule covers the host.
        case unlisted
        /// The rule that counts leaves the host out.
        case excluded(PinningRule)
        /// The rules that count have expired.
        case expired(PinningRule)
        /// These pins apply.
        case pinned(PinRequirement)
    }

    var outcome: Outcome
    /// The rules that were decisive, the most specific first.
    var rules: [PinningRule]
}
