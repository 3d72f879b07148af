/// Why a spelling is no host that Holdfast will connect to.
public struct HostError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure: stable, and a safe metric label.
    public enum Code: String, Hashable, Sendable {
        /// There is no text.
        case empty
        /// More than 253 bytes in canonical form, or far more than any host needs in the spelling itself.
        case tooLong
        /// Two dots in a row, or a dot in front.
        case emptyLabel
        /// A part between two dots of more than 63 bytes in canonical form.
        case labelTooLong
        /// A character that host names do not have: anything but letters, digits, `-`, `_` and `.`.
        case forbiddenCharacter
        /// A `%` without two hexadecimal digits behind it, or bytes that are not UTF-8.
        case invalidPercentEncoding
        /// The last part is a number, and the whole is no IPv4 address.
        case invalidIPv4
        /// A bracket or a colon, and the whole is no IPv6 address.
        case invalidIPv6
        /// An IPv6 address with a zone (`fe80::1%eth0`), which means something on one machine alone.
        case zoneIdentifier
        /// A part starts with `xn--` and is not the A-label of anything.
        case invalidPunycode
        /// A character outside of ASCII that has no place in a host name.
        case disallowedCodePoint
    }

    /// The kind of failure.
    public var code: Code
    /// The spelling that was refused.
    public var spelling: String
    /// One sentence for a person. Characters that could forge a log line are escaped in it.
    public var reason: String

    /// Makes an error.
    public init(_ code: Code, spelling: String, reason: String) {
        self.code = code
        self.spelling = spelling
        self.reason = reason
    }

    public var description: String { reason }
}

/// What is wrong with a host, as the parts of the parser see it; ``CanonicalHost`` makes a ``HostError`` of it.
struct HostFlaw: Error, Hashable, Sendable {
    var code: HostError.Code
    /// The rest of a sentence that starts with the quoted host.
    var reason: String

    init(_ code: HostError.Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    /// The error for a spelling. What the peer or the user wrote is quoted at most 100 characters long.
    func error(for spelling: String) -> HostError {
        HostError(code, spelling: spelling, reason: "The host \(Self.quoted(spelling)) \(reason).")
    }

    /// Text in quotes, made safe to print, with quotes inside escaped.
    static func quoted(_ text: String) -> String {
        let limit = 100
        let escaped = text.prefix(limit).map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }.joined()
        let isCut = !text.dropFirst(limit).isEmpty
        return "\"\(Printable.text(escaped))\(isCut ? "…" : "")\""
    }
}
