/// A host in the canonical form that all comparisons use: lower case, A-labels, no trailing dot, IP literals in their
/// shortest form. A text without such a form is refused, and never treated as "not pinned".
///
/// The text is processed in this order:
///
/// 1. Percent-encoding is decoded once. The result must be UTF-8 and must not contain another `%`.
/// 2. The full stops of East Asian scripts (U+3002, U+FF0E, U+FF61) become `.`, and one trailing dot is removed.
/// 3. Non-ASCII labels are converted to lower case and NFC, checked against a list of refused characters, and encoded
///    as A-labels (Punycode, RFC 3492). A given A-label must decode and encode to itself.
/// 4. A host whose last label is a number must be an IPv4 address according to the WHATWG URL standard (`0x7f.1` is
///    127.0.0.1, as for `getaddrinfo`). Otherwise it is refused.
/// 5. A host with a colon or a bracket is an IPv6 address, written according to RFC 5952. An IPv4-mapped address
///    (`::ffff:192.0.2.1`) is converted to the IPv4 address: it reaches the same machine, so the same policy must
///    apply. Zones are refused.
///
/// Labels consist of letters, digits, `-` and `_` and have at most 63 bytes; a name has at most 253 bytes (RFC 1035,
/// 2.3.4). Underscores and hyphens are accepted at any position, because such names are in use and are compared here,
/// not registered. Creating a host is pure, allocates little and takes time linear in the length of the text.
public struct CanonicalHost: Hashable, Sendable, CustomStringConvertible {
    /// The kinds of hosts.
    public enum Kind: Hashable, Sendable {
        case name
        /// An IPv4 address: four bytes in network order.
        case ipv4([UInt8])
        /// An IPv6 address: sixteen bytes in network order.
        case ipv6([UInt8])
    }

    /// The canonical text. IPv6 literals are written without brackets.
    public let text: String
    /// The kind of the host.
    public let kind: Kind

    /// The maximum size of the text in bytes: sufficient for the longest name with every byte percent-encoded.
    ///
    /// - Error: `HostError.Code.tooLong`
    private static let spellingLimit = 4_096

    /// Canonicalizes a host from a URL, a policy file or a user. IPv6 literals may have brackets.
    ///
    /// - Throws: ``HostError`` if the text is not a valid host.
    public init(_ spelling: String) throws(HostError) {
        do throws(HostFlaw) {
            self = try Self.parse(spelling)
        } catch {
            throw error.error(for: spelling)
        }
    }

    private init(text: String, kind: Kind) {
        self.text = text
        self.kind = kind
    }

    private static func parse(_ spelling: String) throws(HostFlaw) -> CanonicalHost {
        guard !spelling.isEmpty else { throw HostFlaw(.empty, "is empty") }
        guard spelling.utf8.count <= spellingLimit else {
            throw HostFlaw(.tooLong, "has \(spelling.utf8.count) bytes; the limit is \(spellingLimit)")
        }
        // Percent-encoded addresses are refused, because no legitimate software produces them.
        if spelling.utf8.contains(where: { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "[") }) {
            return CanonicalHost(ipv6: try IPv6Literal(spelling))
        }
        let labels = try DomainName.labels(of: PercentEncoding.decode(spelling))
        if IPv4Literal.isExpected(labels) {
            return CanonicalHost(ipv4: try IPv4Literal(labels))
        }
        let text = labels.joined(separator: ".")
        guard text.utf8.count <= DomainName.lengthLimit else {
            throw HostFlaw(
                .tooLong, "has \(text.utf8.count) bytes in canonical form; the limit is \(DomainName.lengthLimit)")
        }
        return CanonicalHost(text: text, kind: .name)
    }

    private init(ipv4 literal: IPv4Literal) {
        self.init(text: IPAddressText.ipv4(literal.bytes), kind: .ipv4(literal.bytes))
    }

    private init(ipv6 literal: IPv6Literal) {
        if let mapped = literal.mappedIPv4 {
            self.init(ipv4: mapped)
        } else {
            self.init(text: IPAddressText.ipv6(literal.groups), kind: .ipv6(literal.bytes))
        }
    }

    /// Whether the host is an IP address literal.
    public var isIPLiteral: Bool {
        if case .name = kind { false } else { true }
    }

    /// Whether the host is `localhost`, a name below it, 127.0.0.0/8 or ::1.
    ///
    /// RFC 6761, 6.3 reserves the names for the loopback interface, but a resolver may not follow it. Code that grants
    /// such a name additional rights must connect only to loopback addresses, as HoldfastTransport does.
    public var isLoopback: Bool {
        switch kind {
        case .name: text == "localhost" || text.hasSuffix(".localhost")
        case .ipv4(let bytes): bytes.first == 127
        case .ipv6(let bytes): bytes.last == 1 && bytes.dropLast().allSatisfy { $0 == 0 }
        }
    }

    /// A textual representation of the value.
    public var description: String { text }

    /// The text of the host and of its parent domains, nearest first. An IP address has no parents.
    package var textAndParents: [Substring] {
        guard !isIPLiteral else { return [text[...]] }
        return [text[...]] + text.indices.filter { text[$0] == "." }.map { text[text.index(after: $0)...] }
    }
}

/// Percent-encoding in the host of a URL (RFC 3986, 3.2.2).
enum PercentEncoding {
    /// Returns the text with each `%` and its two digits replaced by the byte. Decodes once: `%2525` becomes `%25`,
    /// which is then refused.
    static func decode(_ text: String) throws(HostFlaw) -> String {
        let percent = UInt8(ascii: "%")
        guard text.utf8.contains(percent) else { return text }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        var rest = text.utf8.makeIterator()
        while let byte = rest.next() {
            guard byte == percent else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.next().flatMap(digit), let low = rest.next().flatMap(digit) else {
                throw HostFlaw(.invalidPercentEncoding, "has a % that two hexadecimal digits do not follow")
            }
            bytes.append(high << 4 | low)
        }
        guard let decoded = String(validating: bytes, as: UTF8.self) else {
            throw HostFlaw(.invalidPercentEncoding, "has percent-encoded bytes that are not UTF-8")
        }
        return decoded
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        byte < 0x80 ? Character(Unicode.Scalar(byte)).hexDigitValue.map { UInt8($0) } : nil
    }
}
