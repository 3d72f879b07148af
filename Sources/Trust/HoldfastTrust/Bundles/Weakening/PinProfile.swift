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

/// How many matches a verified path needs, and where. Which keys are pinned is not part of it.
enum PinDemand: Hashable, Sendable {
    /// One match for each of `count` scopes. One of them has to be on the server's own certificate if `onLeaf`, one of them
    /// above it if `above`.
    case matches(_ count: Int, onLeaf: Bool, above: Bool)
    /// A match in a scope without pins: no path can pass.
    case impossible

    /// What this demand lacks of an older one, for a message; `nil` if it asks for as much.
    ///
    /// An older demand that no path could meet asks nothing of its successor: any pins may take its place.
    func loss(since old: PinDemand) -> String? {
        guard case .matches(let count, let onLeaf, let above) = self,
            case .matches(let oldCount, let oldOnLeaf, let oldAbove) = old
        else { return nil }
        if oldOnLeaf, !onLeaf { return "a match on the server's own certificate" }
        if oldAbove, !above { return "a match above the server's own certificate" }
        return count < oldCount ? "\(oldCount) matches" : nil
    }
}

/// Until when a property of a policy holds for a host.
enum PinLifetime: Hashable, Comparable, Sendable {
    /// No rule has the property.
    case absent
    /// The property holds before this instant.
    case until(Timestamp)
    /// The property holds for good.
    case unlimited

    /// The lifetime of a rule.
    init(of rule: PinningRule) {
        self = rule.expires.map { .until($0) } ?? .unlimited
    }

    /// Whether the property holds at `time`.
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
