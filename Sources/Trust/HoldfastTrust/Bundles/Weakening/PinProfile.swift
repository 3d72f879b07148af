/// The pin requirements of one or more rules for a host, as a function of time.
///
/// Rules that apply together share one profile: a property holds until the last rule with that property expires. The
/// size of a profile is constant, regardless of the number of rules and pins.
struct PinProfile: Hashable, Sendable {
    /// How long pins apply.
    private var applies = PinLifetime.absent
    /// How long a rule is enforced.
    private var enforces = PinLifetime.absent
    /// How long a pin of each scope must match separately.
    private var everyScope = PinLifetime.absent
    private var listed = ScopeLifetimes()
    private var required = ScopeLifetimes()

    /// Creates the profile of an empty set of rules.
    init() {}

    /// Creates the profile of a rule that is not an exclusion.
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

    /// Adds rules that apply together with the rules of this profile.
    mutating func formUnion(_ other: PinProfile) {
        applies = max(applies, other.applies)
        enforces = max(enforces, other.enforces)
        everyScope = max(everyScope, other.everyScope)
        for scope in Pin.Scope.allCases {
            listed[scope] = max(listed[scope], other.listed[scope])
            required[scope] = max(required[scope], other.required[scope])
        }
    }

    /// The times at which the outcome may change: at most nine.
    var ends: [Timestamp] {
        var lifetimes = [applies, enforces, everyScope]
        for scope in Pin.Scope.allCases { lifetimes += [listed[scope], required[scope]] }
        return lifetimes.compactMap { if case .until(let end) = $0 { end } else { nil } }
    }

    /// Returns the outcome at `time` for hosts to which exactly these rules apply.
    func outcome(at time: Timestamp) -> PolicyOutcome {
        guard applies.includes(time) else { return .open(.expired) }
        let pinned = Pin.Scope.allCases.filter { listed[$0].includes(time) }
        // An empty list refuses every connection, even if failures are only reported.
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

/// The number and places of the pin matches that a verified path needs. Does not include which keys are pinned.
enum PinDemand: Hashable, Sendable {
    /// One match for each of `count` scopes. `onLeaf` requires a match on the server's own certificate, `above` a match
    /// above it.
    case matches(_ count: Int, onLeaf: Bool, above: Bool)
    /// A match in a scope without pins, which is impossible.
    case impossible

    /// Returns, as text for a message, what this demand lacks compared to an older one, or `nil` if it is at least as
    /// strict.
    ///
    /// If the older demand was impossible to meet, any pins may replace it.
    func loss(since old: PinDemand) -> String? {
        guard case .matches(let count, let onLeaf, let above) = self,
            case .matches(let oldCount, let oldOnLeaf, let oldAbove) = old
        else { return nil }
        if oldOnLeaf, !onLeaf { return "a match on the server's own certificate" }
        if oldAbove, !above { return "a match above the server's own certificate" }
        return count < oldCount ? "\(oldCount) matches" : nil
    }
}

/// How long a property of a policy holds for a host.
enum PinLifetime: Hashable, Comparable, Sendable {
    /// The rules do not have the property.
    case absent
    /// The property holds before this time.
    case until(Timestamp)
    /// The property holds without a time limit.
    case unlimited

    /// Creates the lifetime of a rule.
    init(of rule: PinningRule) {
        self = rule.expires.map { .until($0) } ?? .unlimited
    }

    /// Returns whether the property holds at `time`.
    func includes(_ time: Timestamp) -> Bool {
        switch self {
        case .absent: false
        case .until(let end): time < end
        case .unlimited: true
        }
    }
}

/// A lifetime for each scope.
struct ScopeLifetimes: Hashable, Sendable {
    private var any = PinLifetime.absent
    private var leaf = PinLifetime.absent
    private var ca = PinLifetime.absent

    subscript(_ scope: Pin.Scope) -> PinLifetime {
        get {
            switch scope {
            case .any: any
            case .leaf: leaf
            case .ca: ca
            }
        }
        set {
            switch scope {
            case .any: any = newValue
            case .leaf: leaf = newValue
            case .ca: ca = newValue
            }
        }
    }

    /// Whether each scope has a lifetime.
    var coversEveryScope: Bool { any != .absent && leaf != .absent && ca != .absent }
}
