/// A host in a policy file, with its requirements.
public struct PolicyDomain: Hashable, Sendable {
    /// The host as written in the file.
    public var text: String
    /// The host pattern, or `nil` if the text is not a valid host.
    public var pattern: HostPattern?
    /// The pins of the host.
    public var pins: [PolicyPin]
    /// The name of a pin set whose pins also apply to the host.
    public var pinSetName: String?
    /// Whether a pin must match for each scope that has pins.
    public var everyScopeMustMatch: Bool
    /// The scopes in which a pin must match, even if no pin is listed for them.
    public var requiredScopes: Set<Pin.Scope>
    /// Whether the file contains a list of pins. An empty list differs from a missing one.
    public var hasPins: Bool
    /// What happens if no pin matches.
    public var enforcement: PinningRule.Enforcement
    /// The time at which the pins expire.
    public var expires: Timestamp?
    /// Whether the host is excluded from pinning.
    public var isExcluded: Bool
    /// The URIs that receive failure reports.
    public var reportURIs: [String]
    /// The required certificate timestamps.
    public var transparency: TransparencyRequirement?
    /// The path of the element.
    public var path: String
    /// The position of the element.
    public var position: SourcePosition?

    /// Creates a domain.
    public init(
        text: String, pattern: HostPattern?, pins: [PolicyPin] = [], pinSetName: String? = nil,
        everyScopeMustMatch: Bool = false, requiredScopes: Set<Pin.Scope> = [], hasPins: Bool = true,
        enforcement: PinningRule.Enforcement = .enforce, expires: Timestamp? = nil, isExcluded: Bool = false,
        reportURIs: [String] = [], transparency: TransparencyRequirement? = nil, path: String = "",
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
        self.transparency = transparency
        self.path = path
        self.position = position
    }
}

/// A pin in a policy file.
public struct PolicyPin: Hashable, Sendable {
    /// The text in the file.
    public var text: String
    /// The pin, or `nil` if the text is not a valid pin.
    public var pin: Pin?
    /// The author's comment.
    public var comment: String?
    /// The path of the element.
    public var path: String
    /// The position of the element.
    public var position: SourcePosition?

    /// Creates a pin.
    public init(
        text: String, pin: Pin?, comment: String? = nil, path: String = "", position: SourcePosition? = nil
    ) {
        self.text = text
        self.pin = pin
        self.comment = comment
        self.path = path
        self.position = position
    }

    /// Creates a pin that does not come from a file.
    public init(_ pin: Pin) {
        self.init(text: pin.description, pin: pin)
    }
}

/// A named set of pins that several hosts share.
public struct PolicyPinSet: Hashable, Sendable {
    /// The name of the set.
    public var name: String
    /// The pins.
    public var pins: [PolicyPin]
    /// The path of the element.
    public var path: String
    /// The position of the element.
    public var position: SourcePosition?

    /// Creates a pin set.
    public init(name: String, pins: [PolicyPin], path: String = "", position: SourcePosition? = nil) {
        self.name = name
        self.pins = pins
        self.path = path
        self.position = position
    }
}

/// Checks URIs for reports.
package enum ReportURI {
    /// Returns whether a text is an http or https URL with a host.
    package static func isUsable(_ text: String) -> Bool {
        guard let scheme = ["https://", "http://"].first(where: { text.lowercased().hasPrefix($0) }) else {
            return false
        }
        let rest = text.dropFirst(scheme.count)
        guard let first = rest.utf8.first, first != UInt8(ascii: "/"), first != UInt8(ascii: "?") else { return false }
        return text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"<>\"{}|\\^`".utf8.contains($0) }
    }
}
