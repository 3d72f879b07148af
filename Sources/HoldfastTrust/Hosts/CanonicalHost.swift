/// A host in the one spelling that all comparisons use: lower case, A-labels, no trailing dot, IP literals in their
/// shortest form. A spelling that has no such form is refused, never treated as "not pinned".
public struct CanonicalHost: Hashable, Sendable, CustomStringConvertible {
    /// What kind of host it is.
    public enum Kind: Hashable, Sendable {
        case name
        /// Four bytes in network order.
        case ipv4([UInt8])
        /// Sixteen bytes in network order.
        case ipv6([UInt8])
    }

    /// The canonical text; an IPv6 literal without brackets.
    public let text: String
    /// What kind of host it is.
    public let kind: Kind

    /// Canonicalises a spelling as it comes from a URL, a policy file or a user. IPv6 literals may have brackets.
    public init(_ spelling: String) throws(HostError) {
        // STUB
        guard !spelling.isEmpty else { throw HostError(.empty, spelling: spelling, reason: "The host is empty.") }
        self.text = spelling.lowercased()
        self.kind = .name
    }

    /// Whether the host is an IP address literal.
    public var isIPLiteral: Bool {
        if case .name = kind { false } else { true }
    }

    /// Whether the host is `localhost`, a name below it, 127.0.0.0/8 or ::1.
    public var isLoopback: Bool { false }

    public var description: String { text }
}
