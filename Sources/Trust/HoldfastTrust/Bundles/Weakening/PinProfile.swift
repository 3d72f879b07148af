/// What the pins of one or more rules demand of a host, as a function of time.
///
/// Rules that count together share one profile: a property holds as long as the last rule that has it. The size of a
/// profile is constant, however many rules and pins it stands for.
struct PinProfile: Hashable, Sendable {
    /// Until when pins apply.
    private var applies = PinLifetime.absent
    /// Until when a rule enforces.
    private var enforces = PinLifetime.absent
    /// Until when a pin of each scope matches separately.
    private var everyScope = PinLifetime.absent
    private var listed = ScopeLifetimes()
    private var required = ScopeLifetimes()

    /// The profile of no rule.
    init() {}

    /// The profile of a rule that is not an exclusion.
    init(_ rule: PinningRule) {
        let lifetime = PinLifetime(of: rule)
        applies = lifetime
        if rule.enforcement == .enforce { enforces = lifetime }
        if rule.everyScopeMustMatch { everyScope = lifetime }
        for pin in rule.pins.pins {
            listed[pin.scope] = lifetime
            if listed.coversEveryScope { break }
        }
        for scope in rule.requiredScopes { required[scope] = lifetime }
    }

    /// Adds rules that count beside those of this profile.
    mutating func formUnion(_ other: PinProfile) {
        applies = max(applies, other.applies)
        enforces = max(enforces, other.enforces)
        everyScope = max(everyScope, other.everyScope)
        for scope in Pin.Scope.allCases {
            listed[scope] = max(listed[scope], other.listed[scope])
            required[scope] = max(required[scope], other.required[scope])
        }
    }

    /// The instants at which the outcome may change: at most nine.
    var ends: [Timestamp] {
        var lifetimes = [applies, enforces, everyScope]
        for scope in Pin.Scope.allCases { lifetimes += [listed[scope], required[scope]] }
        return lifetimes.compactMap { if case .until(let end) = $0 { end } else { nil } }
    }

    /// The outcome at `time` for hosts to which exactly these rules apply.
    func outcome(at time: Timestamp) -> PolicyOutcome {
        guard applies.includes(time) else { return .open(.expired) }
        let pinned = Pin.Scope.allCases.filter { listed[$0].includes(time) }
        // An empty list refuses every connection, also where failures are only reported.
        guard !pinned.isEmpty else { return .refused(.byPins) }
        let eachCounts = everyScope.includes(time)
        let scopes = Pin.Scope.allCases.filter {
            required[$0].includes(time) || eachCounts && pinned.contains($0)
        }
        let demand: PinDemand =
            if scopes.isEmpty {
                .matches(1, onLeaf: pinned == [.leaf], above: pinned == [.ca])
            } else if scopes.contains(where: { !pinned.contains($0) }) {
                .impossible
            } else {
                .matches(scopes.count, onLeaf: scopes.contains(.leaf), above: scopes.contains(.ca))
            }
        guard enforces.includes(time) else { return .reported(demand) }
        return demand == .impossible ? .refused(.byPins) : .enforced(demand)
    }
}
