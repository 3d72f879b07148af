/// The effect of a policy on connections to one host at one time, without denied keys and trust anchors.
enum PolicyOutcome: Hashable, Sendable {
    /// The reason why pins do not apply.
    enum Opening: Hashable, Sendable {
        case disabled
        case unlisted
        case excluded
        case expired
    }

    /// The reason why every connection is refused.
    enum Refusal: Hashable, Sendable {
        /// The pins cannot match. Local anchors that bypass pins also bypass this refusal.
        case byPins
        /// The host is not covered by a rule, and the policy requires one.
        case withoutRule
    }

    /// System verification decides.
    case open(Opening)
    /// A pin mismatch is only reported.
    case reported(PinDemand)
    /// A pin mismatch refuses the connection.
    case enforced(PinDemand)
    /// Every connection is refused.
    case refused(Refusal)

    /// Returns the protections that this outcome removes compared to an older one.
    ///
    /// - Parameter bypassesPins: Whether the policy of this outcome has local anchors for which pins are disabled.
    func losses(since old: PolicyOutcome, bypassesPins: Bool) -> [PolicyLoss.Kind] {
        switch (old, self) {
        case (.open, _), (_, .refused(.withoutRule)): []
        case (.refused, .open(let reason)): [.admits(reason)]
        case (_, .open(let reason)): [.opens(reason)]
        case (.refused(.withoutRule), .reported): [.onlyReportsOnRefused] + (bypassesPins ? [.bypassesPins] : [])
        case (.refused(.withoutRule), _): bypassesPins ? [.bypassesPins] : []
        case (.refused(.byPins), .reported): [.onlyReportsOnRefused]
        case (.refused(.byPins), _), (_, .refused(.byPins)): []
        case (.reported(let before), .reported(let demand)), (.reported(let before), .enforced(let demand)),
            (.enforced(let before), .enforced(let demand)):
            fewerMatches(before, demand)
        case (.enforced(let before), .reported(let demand)): [.onlyReports] + fewerMatches(before, demand)
        }
    }

    private func fewerMatches(_ old: PinDemand, _ new: PinDemand) -> [PolicyLoss.Kind] {
        new.loss(since: old).map { [.needsFewerMatches($0)] } ?? []
    }
}

/// The effect of one policy on the hosts of one region, as a function of time.
enum RegionProfile: Hashable, Sendable {
    /// The same outcome at every time.
    case constant(PolicyOutcome)
    /// Pins apply for as long as the profile specifies.
    case pinned(PinProfile)

    /// The times at which the outcome may change.
    var ends: [Timestamp] {
        switch self {
        case .constant: []
        case .pinned(let profile): profile.ends
        }
    }

    /// Returns the outcome at `time`.
    func outcome(at time: Timestamp) -> PolicyOutcome {
        switch self {
        case .constant(let outcome): outcome
        case .pinned(let profile): profile.outcome(at: time)
        }
    }
}
