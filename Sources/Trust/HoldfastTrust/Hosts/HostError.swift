import HoldfastBase

/// The reason why a text is not a valid host.
///
/// - Remedy: Correct the text that the error names. A host is a name or an IP address, without scheme, port and path.
public struct HostError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure. Codes are stable and safe as metric labels. New codes may be added, so compare with the
    /// constants and handle unknown codes.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The code as text.
        public let rawValue: String
        /// Creates a code from its text.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The code as text.
        public var description: String { rawValue }

        /// The text is empty.
        public static let empty = Code(rawValue: "empty")
        /// The canonical form has more than 253 bytes, or the text is much longer than any host.
        public static let tooLong = Code(rawValue: "tooLong")
        /// The text has two consecutive dots or a leading dot.
        public static let emptyLabel = Code(rawValue: "emptyLabel")
        /// A label has more than 63 bytes in canonical form.
        public static let labelTooLong = Code(rawValue: "labelTooLong")
        /// The text has a character other than letters, digits, `-`, `_` and `.`.
        public static let forbiddenCharacter = Code(rawValue: "forbiddenCharacter")
        /// A `%` without two hexadecimal digits, or percent-encoded bytes that are not UTF-8.
        public static let invalidPercentEncoding = Code(rawValue: "invalidPercentEncoding")
        /// The last label is a number, but the text is not an IPv4 address.
        public static let invalidIPv4 = Code(rawValue: "invalidIPv4")
        /// The text has a bracket or a colon, but is not an IPv6 address.
        public static let invalidIPv6 = Code(rawValue: "invalidIPv6")
        /// The text is an IPv6 address with a zone (`fe80::1%eth0`), which has a meaning only on one machine.
        public static let zoneIdentifier = Code(rawValue: "zoneIdentifier")
        /// A label starts with `xn--` but is not a valid A-label.
        public static let invalidPunycode = Code(rawValue: "invalidPunycode")
        /// The text has a non-ASCII character that is not allowed in host names.
        public static let disallowedCodePoint = Code(rawValue: "disallowedCodePoint")
    }

    /// The kind of failure.
    public var code: Code
    /// The text that was refused.
    public var spelling: String
    /// A human-readable sentence. Characters that could forge log lines are escaped.
    public var reason: String

    /// Creates an error.
    public init(_ code: Code, spelling: String, reason: String) {
        self.code = code
        self.spelling = spelling
        self.reason = reason
    }

    /// The reason as text.
    public var description: String { reason }
}

/// A problem of a host, as found by the parts of the parser. ``CanonicalHost`` converts it to a ``HostError``.
struct HostFlaw: Error, Hashable, Sendable {
    var code: HostError.Code
    /// The rest of a sentence that starts with the quoted host.
    var reason: String

    init(_ code: HostError.Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    /// Returns the error for a text. At most 100 characters of the text are quoted.
    func error(for spelling: String) -> HostError {
        HostError(code, spelling: spelling, reason: "The host \(Self.quoted(spelling)) \(reason).")
    }

    /// Returns the text in quotation marks, with special characters escaped.
    static func quoted(_ text: String) -> String {
        let limit = 100
        let escaped = text.prefix(limit).map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }.joined()
        let isCut = !text.dropFirst(limit).isEmpty
        return "\"\(Printable.text(escaped))\(isCut ? "…" : "")\""
    }
}
