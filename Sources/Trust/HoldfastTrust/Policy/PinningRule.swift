/// What one host, and if so wished the hosts below it, must show.
public struct PinningRule: Hashable, Sendable {
    /// What a failed pin leads to.
    public enum Enforcement: String, Hashable, Sendable, CaseIterable {
        /// The connection is refused.
        case enforce
        /// The connection goes on, and the verdict says what would have happened. An invalid chain is refused all the
        /// same.
        case reportOnly
    }

    /// The hosts.
    public var pattern: HostPattern
    /// The pins; one match is enough. An empty set refuses every connection, with that reason.
    public var pins: PinSet
    /// The name of the pin set, where several rules share one.
    public var pinSetName: String?
    /// Whether each scope that has pins must be matched: a leaf pin *and* a CA pin (`NSPinnedDomains`).
    public var everyScopeMustMatch: Bool
    /// Scopes of which a pin must match, whatever else does. Where no pin is listed for one of them no connection passes,
    /// which is how an empty list of `NSPinnedDomains` is read.
    public var requiredScopes: Set<Pin.Scope>
    /// What a failed pin leads to.
    public var enforcement: Enforcement
    /// From this instant on the pins no longer apply. Has no effect on an exclusion.
    public var expires: Timestamp?
    /// Whether the hosts are excluded: no pin applies if this is the most specific rule, whatever a rule for a parent says.
    public var isExcluded: Bool
    /// Where failures are reported, as the policy's author gave it.
    public var reportURIs: [String]

    /// Makes a rule.
    public init(
        _ pattern: HostPattern, pins: PinSet, pinSetName: String? = nil, everyScopeMustMatch: Bool = false,
        requiredScopes: Set<Pin.Scope> = [], enforcement: Enforcement = .enforce, expires: Timestamp? = nil,
        isExcluded: Bool = false, reportURIs: [String] = []
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
    }

    /// Makes a rule for a host, and with `includesSubdomains` for those at any depth below it.
    public init(
        host: CanonicalHost, includesSubdomains: Bool = false, pins: PinSet, enforcement: Enforcement = .enforce,
        expires: Timestamp? = nil, isExcluded: Bool = false
    ) {
        self.init(
            HostPattern(host, depth: includesSubdomains ? .apexAndAnyDepth : .exact), pins: pins,
            enforcement: enforcement, expires: expires, isExcluded: isExcluded)
    }

    /// Makes a rule that pins keys, wherever on a path they appear.
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

    /// Leaves hosts out.
    public static func excluding(_ pattern: HostPattern) -> PinningRule {
        PinningRule(pattern, pins: PinSet([]), isExcluded: true)
    }

    /// The rule's host.
    public var host: CanonicalHost { pattern.host }

    /// Whether the pins apply at `time`.
    func isExpired(at time: Timestamp) -> Bool {
        expires.map { time >= $0 } ?? false
    }
}
