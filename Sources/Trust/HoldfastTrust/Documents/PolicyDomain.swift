/// A host as it stands in a file, and what is asked of it.
public struct PolicyDomain: Hashable, Sendable {
    /// The host as it is written.
    public var text: String
    /// What it means; `nil` if it is no host.
    public var pattern: HostPattern?
    /// Its own pins.
    public var pins: [PolicyPin]
    /// The name of the pin set that it uses beside them.
    public var pinSetName: String?
    /// Whether each scope that has pins must be matched.
    public var everyScopeMustMatch: Bool
    /// Scopes of which a pin must match, also where none is listed for them.
    public var requiredScopes: Set<Pin.Scope>
    /// Whether pins were written at all: an empty list is something else than none.
    public var hasPins: Bool
    /// What a failed pin leads to.
    public var enforcement: PinningRule.Enforcement
    /// When the pins end to apply.
    public var expires: Timestamp?
    /// Whether the host is left out.
    public var isExcluded: Bool
    /// Where failures are reported.
    public var reportURIs: [String]
    /// The path of the element.
    public var path: String
    /// Where it stands.
    public var position: SourcePosition?

    /// Makes a domain.
    public init(
        text: String, pattern: HostPattern?, pins: [PolicyPin] = [], pinSetName: String? = nil,
        everyScopeMustMatch: Bool = false, requiredScopes: Set<Pin.Scope> = [], hasPins: Bool = true,
        enforcement: PinningRule.Enforcement = .enforce, expires: Timestamp? = nil, isExcluded: Bool = false,
        reportURIs: [String] = [], path: String = "",
        position: SourcePosition? = nil
    ) {
        self.text = text
        self.pattern = pattern
        self.pins = pins
        self.pinSetName = pinSetName
        self.everyScopeMustMatch = everyScopeMustMatch
        self.requiredScopes = requiredScopes
        self.hasPins = hasPins
        self.enforcement = enforcement
        self.expires = expires
        self.isExcluded = isExcluded
        self.reportURIs = reportURIs
        self.path = path
        self.position = position
    }
}
