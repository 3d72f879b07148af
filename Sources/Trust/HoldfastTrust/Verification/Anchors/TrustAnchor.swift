import HoldfastBase

/// A certificate in which paths may end, with the constraints of the list that contains it.
///
/// The constraints are in addition to those in the certificate itself (RFC 5914 and RFC 5937 describe such anchors).
/// Mozilla's root store has them, but the files of certificates that Linux distributions install do not.
public struct TrustAnchor: Hashable, Sendable {
    /// The certificate.
    public var certificate: CertificateView
    /// The constraints of the list.
    public var constraints: TrustAnchorConstraints

    /// Creates an anchor. The default has no constraints.
    public init(_ certificate: CertificateView, constraints: TrustAnchorConstraints = .none) {
        self.certificate = certificate
        self.constraints = constraints
    }
}

/// The constraints that a list of trust anchors sets for an anchor.
public struct TrustAnchorConstraints: Hashable, Sendable {
    /// The names for which the anchor is trusted, or `nil` if the list does not limit them.
    public var names: AnchorNameConstraints?
    /// Whether the anchor is trusted for TLS servers. If not, no path ends in it. A path may still contain it below
    /// another anchor; use denied keys of a policy to refuse that too.
    public var allowsServerAuthentication = true
    /// The time after which the anchor issues no trusted certificates, such as `CKA_NSS_SERVER_DISTRUST_AFTER` in
    /// Mozilla's list. A server's certificate whose validity begins later than this time is refused.
    ///
    /// Only the server's own certificate is compared, as in Firefox. The authority itself writes that date, so a
    /// dishonest authority can circumvent the rule by an earlier date.
    public var serverDistrustAfter: Timestamp?

    /// No constraints.
    public static let none = TrustAnchorConstraints()

    /// Creates constraints that allow everything.
    public init() {}

    /// Creates constraints from all fields.
    public init(
        names: AnchorNameConstraints? = nil, allowsServerAuthentication: Bool = true,
        serverDistrustAfter: Timestamp? = nil
    ) {
        self.names = names
        self.allowsServerAuthentication = allowsServerAuthentication
        self.serverDistrustAfter = serverDistrustAfter
    }
}

/// The names that a list of trust anchors permits or excludes for an anchor. They have the meaning of the name
/// constraints of a certificate (RFC 5280, 4.2.1.10).
public struct AnchorNameConstraints: Hashable, Sendable {
    /// The DER bytes of the `NameConstraints`.
    public let der: [UInt8]
    /// The subtrees in ``der``.
    let subtrees: NameConstraints

    /// The maximum size of the DER bytes.
    ///
    /// - Error: `TrustAnchorError`
    static let maximumSize = 1 << 16

    /// Reads the value of a name constraints extension, such as the one that p11-kit attaches to an anchor.
    ///
    /// - Throws: ``TrustAnchorError`` if the bytes are malformed, contain no subtree, or have more than 64 KiB or 8,192
    ///   permitted or excluded subtrees.
    public init(der: [UInt8]) throws(TrustAnchorError) {
        guard der.count <= AnchorNameConstraints.maximumSize else {
            throw TrustAnchorError(
                "The name constraints have \(der.count) bytes; the limit is \(AnchorNameConstraints.maximumSize).")
        }
        do throws(DERFault) {
            subtrees = try NameConstraints(DERReader(der))
        } catch {
            throw TrustAnchorError(
                "The name constraints are malformed: at byte \(error.offset), \(error.reason.rawValue).")
        }
        self.der = der
    }

    /// Creates constraints from texts.
    ///
    /// - `example.com` includes all names below it, and `.example.com` only those below it.
    /// - `192.0.2.0/24`, `2001:db8::/32` and single addresses are address ranges.
    ///
    /// If no text permits a form (DNS names or addresses), all names of the form are permitted that no other text
    /// excludes. To permit no addresses, exclude `0.0.0.0/0` and `::/0`.
    ///
    /// - Throws: ``TrustAnchorError`` for an invalid text, and if both lists are empty.
    public init(permitted: [String], excluded: [String] = []) throws(TrustAnchorError) {
        var fields: [UInt8] = []
        for (number, texts) in [(UInt8(0), permitted), (1, excluded)] where !texts.isEmpty {
            var list: [UInt8] = []
            for text in texts { list += DERWriter.sequence(try AnchorNameConstraints.generalName(text)) }
            fields += DERWriter.element(DERTag.context(number, constructed: true), list)
        }
        guard !fields.isEmpty else { throw TrustAnchorError("Name constraints need at least one name.") }
        try self.init(der: DERWriter.sequence(fields))
    }

    private static func generalName(_ text: String) throws(TrustAnchorError) -> [UInt8] {
        if let range = addressRange(text) {
            return DERWriter.element(DERTag.context(7, constructed: false), range)
        }
        let isBelowOnly = text.hasPrefix(".")
        guard let host = try? CanonicalHost(isBelowOnly ? String(text.dropFirst()) : text), case .name = host.kind
        else {
            throw .invalid(text)
        }
        let name = (isBelowOnly ? "." : "") + host.text
        return DERWriter.element(DERTag.context(2, constructed: false), Array(name.utf8))
    }

    /// Returns the bytes of an address and its mask, or `nil` if the text is not an address or a range.
    private static func addressRange(_ text: String) -> [UInt8]? {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let host = try? CanonicalHost(String(first)) else { return nil }
        let address: [UInt8]
        switch host.kind {
        case .ipv4(let bytes): address = Array(bytes)
        case .ipv6(let bytes): address = Array(bytes)
        case .name: return nil
        }
        var length = address.count * 8
        if parts.count == 2 {
            guard let number = Int(parts[1]), (0...length).contains(number) else { return nil }
            length = number
        }
        let mask = address.indices.map { index -> UInt8 in
            let ones = min(8, max(0, length - index * 8))
            return UInt8(truncatingIfNeeded: 0xFF << (8 - ones))
        }
        return zip(address, mask).map { $0 & $1 } + mask
    }

    /// Returns whether two values have the same bytes.
    public static func == (lhs: AnchorNameConstraints, rhs: AnchorNameConstraints) -> Bool { lhs.der == rhs.der }

    /// Hashes the value.
    public func hash(into hasher: inout Hasher) { hasher.combine(der) }
}

/// The reason why constraints of a trust anchor cannot be read.
///
/// - Remedy: Correct the constraints that the reason names.
public struct TrustAnchorError: Error, Hashable, Sendable, CustomStringConvertible {
    /// One sentence for people.
    public let reason: String

    init(_ reason: String) { self.reason = reason }

    static func invalid(_ text: String) -> TrustAnchorError {
        TrustAnchorError(
            "\"\(Printable.text(text))\" is not a name or an address range. Write example.com or 192.0.2.0/24.")
    }

    /// The reason as text.
    public var description: String { reason }
}
