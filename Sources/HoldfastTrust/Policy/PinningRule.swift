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

    /// The host.
    public var host: CanonicalHost
    /// Whether the hosts below it, at any depth, are covered too. A rule for a more specific host wins.
    public var includesSubdomains: Bool
    /// The pins. An empty set refuses every connection, with that reason.
    public var pins: PinSet
    /// What a failed pin leads to.
    public var enforcement: Enforcement
    /// From this instant on the pins no longer apply; system verification decides.
    public var expires: Timestamp?
    /// Whether the host is left out: no pin applies, whatever a rule for a parent says.
    public var isExcluded: Bool

    /// Makes a rule.
    public init(
        host: CanonicalHost, includesSubdomains: Bool = false, pins: PinSet, enforcement: Enforcement = .enforce,
        expires: Timestamp? = nil, isExcluded: Bool = false
    ) {
        self.host = host
        self.includesSubdomains = includesSubdomains
        self.pins = pins
        self.enforcement = enforcement
        self.expires = expires
        self.isExcluded = isExcluded
    }
}
