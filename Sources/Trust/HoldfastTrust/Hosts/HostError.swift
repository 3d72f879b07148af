import HoldfastBase

/// Why a spelling is no host that Holdfast will connect to.
public struct HostError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure: stable, and a safe metric label. The set may grow: compare with the constants, and expect others.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public var description: String { rawValue }

        /// There is no text.
        public static let empty = Code(rawValue: "empty")
        /// More than 253 bytes in canonical form, or far more than any host needs in the spelling itself.
        public static let tooLong = Code(rawValue: "tooLong")
        /// Two dots in a row, or a dot in front.
        public static let emptyLabel = Code(rawValue: "emptyLabel")
        /// A part between two dots of more than 63 bytes in canonical form.
        public static let labelTooLong = Code(rawValue: "labelTooLong")
        /// A character that host names do not have: anything but letters, digits, `-`, `_` and `.`.
        public static let forbiddenCharacter = Code(rawValue: "forbiddenCharacter")
        /// A `%` without two hexadecimal digits behind it, or bytes that are not UTF-8.
        public static let invalidPercentEncoding = Code(rawValue: "invalidPercentEncoding")
        /// The last part is a number, and the whole is no IPv4 address.
        public static let invalidIPv4 = Code(rawValue: "invalidIPv4")
        /// A bracket or a colon, and the whole is no IPv6 address.
        public static let invalidIPv6 = Code(rawValue: "invalidIPv6")
        /// An IPv6 address with a zone (`fe80::1%eth0`), which means something on one machine alone.
        public static let zoneIdentifier = Code(rawValue: "zoneIdentifier")
        /// A part starts with `xn--` and is not the A-label of anything.
        public static let invalidPunycode = Code(rawValue: "invalidPunycode")
        /// A character outside of ASCII that has no place in a host name.
        public static let disallowedCodePoint = Code(rawValue: "disallowedCodePoint")
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
