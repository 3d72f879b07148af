/// What one policy does with the hosts of one region, as a function of time.
enum RegionProfile: Hashable, Sendable {
    /// The same at every time.
    case constant(PolicyOutcome)
    /// Pins apply, as long as the profile says.
    case pinned(PinProfile)

    /// The instants at which the outcome may change.
    var ends: [Timestamp] {
        switch self {
        case .constant: []
        case .pinned(let profile): profile.ends
        }
    }

    /// The outcome at `time`.
    func outcome(at time: Timestamp) -> PolicyOutcome {
        switch self {
        case .constant(let outcome): outcome
        case .pinned(let profile): profile.outcome(at: time)
        }
    }
}

/// What a policy does with the connections to one host at one time, apart from denied keys and trust anchors.
enum PolicyOutcome: Hashable, Sendable {
    /// Why no pin applies.
    enum Opening: Hashable, Sendable {
        case disabled
        case unlisted
        case excluded
        case expired
    }

    /// Why every connection is refused.
    enum Refusal: Hashable, Sendable {
        /// The pins cannot match. A bypassing local anchor is exempt from pins, and so from this refusal.
        case byPins
        /// No rule covers the host, and the policy requires one.
        case withoutRule
    }

    /// System verification decides.
    case open(Opening)
    /// A failed pin is only reported.
    case reported(PinDemand)
    /// A failed pin refuses the connection.
    case enforced(PinDemand)
    /// Every connection is refused.
    case refused(Refusal)

    /// What this outcome takes back of an older one.
    ///
    /// - Parameter bypassesPins: Whether the policy of this outcome has local anchors for which pins do not count.
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
