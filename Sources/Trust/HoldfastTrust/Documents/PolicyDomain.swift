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

/// A pin as it stands in a file.
public struct PolicyPin: Hashable, Sendable {
    /// The text of the file.
    public var text: String
    /// What it means; `nil` if it means nothing.
    public var pin: Pin?
    /// What the author wrote beside it.
    public var comment: String?
    /// The path of the element.
    public var path: String
    /// Where it stands.
    public var position: SourcePosition?

    /// Makes a pin.
    public init(
        text: String, pin: Pin?, comment: String? = nil, path: String = "", position: SourcePosition? = nil
    ) {
        self.text = text
        self.pin = pin
        self.comment = comment
        self.path = path
        self.position = position
    }

    /// Wraps a pin that was never in a file.
    public init(_ pin: Pin) {
        self.init(text: pin.description, pin: pin)
    }
}

/// Pins that several hosts share by name.
public struct PolicyPinSet: Hashable, Sendable {
    /// The name.
    public var name: String
    /// The pins.
    public var pins: [PolicyPin]
    /// The path of the element.
    public var path: String
    /// Where it stands.
    public var position: SourcePosition?

    /// Makes a pin set.
    public init(name: String, pins: [PolicyPin], path: String = "", position: SourcePosition? = nil) {
        self.name = name
        self.pins = pins
        self.path = path
        self.position = position
    }
}

/// Where reports may go.
package enum ReportURI {
    /// Whether a text has the form of an http or https URL with a host.
    package static func isUsable(_ text: String) -> Bool {
        guard let scheme = ["https://", "http://"].first(where: { text.lowercased().hasPrefix($0) }) else {
            return false
        }
        let rest = text.dropFirst(scheme.count)
        guard let first = rest.utf8.first, first != UInt8(ascii: "/"), first != UInt8(ascii: "?") else { return false }
        return text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"<>\"{}|\\^`".utf8.contains($0) }
    }
}
