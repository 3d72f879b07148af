/// A host in the one spelling that all comparisons use: lower case, A-labels, no trailing dot, IP literals in their
/// shortest form. A spelling that has no such form is refused, never treated as "not pinned".
///
/// What happens to a spelling, in this order:
/// 1. Percent-encoding is decoded, once. The result must be UTF-8 and may not hold a `%` again.
/// 2. The full stops of East Asian scripts (U+3002, U+FF0E, U+FF61) become `.`, and one trailing dot goes.
/// 3. Labels outside of ASCII are put into lower case and NFC, checked against a refuse-list, and become A-labels
///    (Punycode, RFC 3492). An A-label that is given must decode and encode to itself.
/// 4. A host whose last label is a number is an IPv4 address by the rules of the WHATWG URL standard (`0x7f.1` is
///    127.0.0.1, as it is for `getaddrinfo`), or it is refused.
/// 5. A colon or a bracket makes it an IPv6 address, written as RFC 5952 says. An IPv4-mapped one (`::ffff:192.0.2.1`)
///    *is* that IPv4 address: it reaches the same machine, so it must find the same policy. Zones are refused.
///
/// Labels have letters, digits, `-` and `_` and at most 63 bytes, a name at most 253 (RFC 1035, 2.3.4). Underscores and
/// hyphens in any place are let through: such names are in use, and a name is compared here, not registered.
/// Making one is pure, allocates little and takes time linear in the length of the text.
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

    /// Bytes that a spelling may have: room for the longest name with every byte percent-encoded.
    private static let spellingLimit = 4_096

    /// Canonicalises a spelling as it comes from a URL, a policy file or a user. IPv6 literals may have brackets.
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
            throw HostFlaw(.tooLong, "has \(spelling.utf8.count) bytes, and no host needs more than \(spellingLimit)")
        }
        // An address may not be percent-encoded: nothing legitimate writes one so.
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
                .tooLong, "has \(text.utf8.count) bytes in canonical form, and \(DomainName.lengthLimit) are allowed")
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
    /// RFC 6761, 6.3 keeps the names for the loopback interface, but a resolver may not know that: whoever lets a name
    /// have more than other hosts because of this must connect to loopback addresses alone, as HoldfastTransport does.
    public var isLoopback: Bool {
        switch kind {
        case .name: text == "localhost" || text.hasSuffix(".localhost")
        case .ipv4(let bytes): bytes.first == 127
        case .ipv6(let bytes): bytes.last == 1 && bytes.dropLast().allSatisfy { $0 == 0 }
        }
    }

    public var description: String { text }

    /// The host's text and those of the domains above it, nearest first. Nothing is above an IP address.
    package var textAndParents: [Substring] {
        guard !isIPLiteral else { return [text[...]] }
        return [text[...]] + text.indices.filter { text[$0] == "." }.map { text[text.index(after: $0)...] }
    }
}

/// Percent-encoding in the host of a URL (RFC 3986, 3.2.2).
enum PercentEncoding {
    /// The text with every `%` and its two digits replaced by the byte that they stand for. One pass: `%2525` becomes
    /// `%25`, which is then no host.
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
                throw HostFlaw(.invalidPercentEncoding, "has a % without two hexadecimal digits behind it")
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
