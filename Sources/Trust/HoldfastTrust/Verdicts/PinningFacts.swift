/// What the policy had to say about the host of a verdict, kept in it for reports.
public struct PinningFacts: Hashable, Sendable {
    /// The host of the rule that applied ("noted host", RFC 7469, 2.6).
    public var notedHost: CanonicalHost
    /// Whether the rule reaches below its host.
    public var includesSubdomains: Bool
    /// Whether a failed pin blocks.
    public var enforcement: PinningRule.Enforcement
    /// The pins.
    public var pins: PinSet
    /// When they end to apply.
    public var expires: Timestamp?
    /// Where failures are to be reported.
    public var reportURIs: [String]
}
