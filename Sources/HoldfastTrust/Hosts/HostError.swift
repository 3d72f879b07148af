/// Why a spelling is no host that Holdfast will connect to.
public struct HostError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure: stable, and a safe metric label.
    public enum Code: String, Hashable, Sendable {
        case empty, tooLong, emptyLabel, labelTooLong, forbiddenCharacter, invalidPercentEncoding
        case invalidIPv4, invalidIPv6, zoneIdentifier, invalidPunycode, disallowedCodePoint
    }

    /// The kind of failure.
    public var code: Code
    /// The spelling that was refused.
    public var spelling: String
    /// One sentence for a person.
    public var reason: String

    /// Makes an error.
    public init(_ code: Code, spelling: String, reason: String) {
        self.code = code
        self.spelling = spelling
        self.reason = reason
    }

    public var description: String { reason }
}
