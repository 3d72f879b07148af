/// The pins of a host, and optionally of the hosts below it.
public struct PinningRule: Hashable, Sendable {
    /// What happens if no pin matches.
    public enum Enforcement: String, Hashable, Sendable, CaseIterable {
        /// The connection is refused.
        case enforce
        /// The connection is accepted, and the verdict reports the mismatch. An invalid chain is still refused.
        case reportOnly
    }

    /// The hosts of the rule.
    public var pattern: HostPattern
    /// The pins, of which one must match. An empty set refuses every connection, with a reason that says so.
    public var pins: PinSet
    /// The name of the pin set, if several rules share it.
    public var pinSetName: String?
    /// Whether each scope with pins must match: a leaf pin *and* a CA pin (`NSPinnedDomains`).
    public var everyScopeMustMatch: Bool
    /// The scopes in which a pin must match. If a scope does not have pins, every connection is refused, which is the
    /// meaning of an empty list in `NSPinnedDomains`.
    public var requiredScopes: Set<Pin.Scope>
    /// What happens if no pin matches.
    public var enforcement: Enforcement
    /// The time from which the pins no longer apply. Has no effect on an exclusion.
    public var expires: Timestamp?
    /// Whether the hosts are excluded: if this is the most specific rule, no pins apply, regardless of the rules for
    /// parents.
    public var isExcluded: Bool
    /// The URIs that receive failure reports, as given by the policy's author.
    public var reportURIs: [String]
    /// The required certificate timestamps, or `nil`. They are required of an excluded host too: an exclusion concerns
    /// pins. Neither ``expires`` nor ``enforcement`` affects the requirement.
    public var transparency: TransparencyRequirement?

    /// Creates a rule.
    public init(
        _ pattern: HostPattern, pins: PinSet, pinSetName: String? = nil, everyScopeMustMatch: Bool = false,
        requiredScopes: Set<Pin.Scope> = [], enforcement: Enforcement = .enforce, expires: Timestamp? = nil,
        isExcluded: Bool = false, reportURIs: [String] = [], transparency: TransparencyRequirement? = nil
    ) {
        self.pattern = pattern
        self.pins = pins
        self.pinSetName = pinSetName
        self.everyScopeMustMatch = everyScopeMustMatch
        self.requiredScopes = requiredScopes
        self.enforcement = enforcement
        self.expires = expires
        self.isExcluded = isExcluded
        self.reportURIs = reportURIs
        self.transparency = transparency
    }

    /// Creates a rule for a host and, with `includesSubdomains`, for all hosts below it at any depth.
    public init(
        host: CanonicalHost, includesSubdomains: Bool = false, pins: PinSet, enforcement: Enforcement = .enforce,
        expires: Timestamp? = nil, isExcluded: Bool = false
    ) {
        self.init(
            HostPattern(host, depth: includesSubdomains ? .apexAndAnyDepth : .exact), pins: pins,
            enforcement: enforcement, expires: expires, isExcluded: isExcluded)
    }

    /// Creates a rule that pins keys on any certificate of a path.
    ///
    /// ```swift
    /// try PinningRule(HostPattern("api.example.com"), keys: [
    ///     SPKIDigest("sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="),
    ///     SPKIDigest("sha256/BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBA="),
    /// ])
    /// ```
    public init(
        _ pattern: HostPattern, keys: some Sequence<SPKIDigest>, enforcement: Enforcement = .enforce,
        expires: Timestamp? = nil
    ) {
        self.init(pattern, pins: PinSet(keys: keys), enforcement: enforcement, expires: expires)
    }

    /// Returns a rule that excludes hosts from pinning.
    public static func excluding(_ pattern: HostPattern) -> PinningRule {
        PinningRule(pattern, pins: PinSet([]), isExcluded: true)
    }

    /// Returns a rule without pins that requires certificate timestamps. Like ``excluding(_:)``, it excludes the hosts
    /// from the pins of rules for their parents.
    public static func requiringTransparency(
        _ pattern: HostPattern, _ requirement: TransparencyRequirement
    ) -> PinningRule {
        PinningRule(pattern, pins: PinSet([]), isExcluded: true, transparency: requirement)
    }

    /// The host of the rule's pattern.
    public var host: CanonicalHost { pattern.host }

    /// Returns whether the pins have expired at `time`.
    func isExpired(at time: Timestamp) -> Bool {
        expires.map { time >= $0 } ?? false
    }
}
