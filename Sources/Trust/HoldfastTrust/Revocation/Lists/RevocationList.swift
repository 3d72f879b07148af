/// A certificate revocation list (RFC 5280, 5) in DER.
///
/// Complete lists, lists for a part of an issuer's certificates (issuing distribution points), indirect lists and delta
/// lists can be read. A lookup uses a list only for the certificates that it covers. A delta list counts only together
/// with the complete list that it extends.
///
/// Values can be used from any thread. Reading a list takes time linear in its size.
public struct RevocationList: Hashable, Sendable {
    /// The DER bytes.
    public let der: [UInt8]
    /// The time at which the list was issued.
    public var thisUpdate: Timestamp { content.thisUpdate }
    /// The time at which the next list is due, or `nil` if the list does not specify it.
    ///
    /// A list without this date can be read but is refused during verification: it would be valid forever, and RFC
    /// 5280, 5.1.2.5 requires the date.
    public var nextUpdate: Timestamp? { content.nextUpdate }

    let content: RevocationListContent
    let signatureAlgorithm: SignatureAlgorithm

    /// The maximum size in bytes. The largest public lists have about ten megabytes.
    ///
    /// - Error: `CertificateError.Code.tooLarge`
    public static let maximumSize = 32 << 20

    /// Reads a list in DER. Throws ``CertificateError`` for any other input, including PEM.
    public init(der: [UInt8]) throws(CertificateError) {
        guard !der.isEmpty else { throw CertificateError(.empty, "The revocation list is empty.") }
        guard der.count <= RevocationList.maximumSize else {
            throw CertificateError(
                .tooLarge, "The revocation list has \(der.count) bytes; the limit is \(Self.maximumSize).")
        }
        do throws(DERFault) {
            content = try RevocationListContent(der)
        } catch {
            throw CertificateError(.malformedDER, error, expected: "a revocation list")
        }
        self.der = der
        signatureAlgorithm = SignatureAlgorithm(identifier: content.signatureAlgorithm, in: der)
    }

    /// The issuer's name as text.
    public var issuerName: String { DistinguishedName.text(of: content.issuer, in: der) }

    /// The number of certificates in the list.
    public var count: Int { content.entries.count }

    /// Whether the list contains only the changes since a complete list (RFC 5280, 5.2.4).
    public var isDelta: Bool { content.baseNumber != nil }

    /// Whether the list may contain certificates of other issuers (RFC 5280, 5.2.5).
    public var isIndirect: Bool { content.scope.isIndirect }

    /// The issuer's name, for comparison with the name in a certificate.
    var issuerDigest: NameDigest { content.issuerDigest }

    /// Returns the entry of a certificate, or `nil` if the list does not contain the certificate.
    func entry(of certificate: CertificateView) -> RevocationEntry? {
        content.entries.entry(
            of: certificate.der[certificate.parsed.outline.serial], certificate.parsed.issuerName, in: der,
            listIssuer: issuerDigest)
    }

    /// Returns whether the list contains a certificate of its own issuer with this serial number. For tests.
    package func contains(serial: [UInt8]) -> Bool {
        content.entries.entry(of: serial[...], issuerDigest, in: der, listIssuer: issuerDigest) != nil
    }

    /// Returns the reasons for which the list covers a certificate, or `nil` if it does not cover the certificate.
    func covered(_ certificate: CertificateView, points: [DistributionPoint]) -> RevocationReasons? {
        content.scope.covered(
            certificate, points: points, issuer: issuerDigest, issuerName: Array(der[content.issuer]))
    }

    /// Returns whether this delta list can be applied to a complete list (RFC 5280, 5.2.4 and 6.3.3 (c)): it has the
    /// same issuer, scope and key, begins at the complete list or before it, and is newer.
    func extends(_ complete: RevocationList) -> Bool {
        guard let base = content.baseNumber, let number = content.number, !complete.isDelta,
            let otherNumber = complete.content.number, issuerDigest == complete.issuerDigest
        else { return false }
        func bytes(_ list: RevocationList, _ range: Range<Int>?) -> ArraySlice<UInt8>? { range.map { list.der[$0] } }
        return bytes(self, content.scopeBytes) == bytes(complete, complete.content.scopeBytes)
            && bytes(self, content.keyIdentifier) == bytes(complete, complete.content.keyIdentifier)
            && !RevocationList.isLess(complete.der[otherNumber], der[base])
            && RevocationList.isLess(complete.der[otherNumber], der[number])
    }

    /// Returns whether this list has a lower number than another.
    func isOlder(than other: RevocationList) -> Bool {
        guard let number = content.number, let otherNumber = other.content.number else { return false }
        return RevocationList.isLess(der[number], other.der[otherNumber])
    }

    /// Compares two non-negative integers in their shortest form.
    private static func isLess(_ lhs: ArraySlice<UInt8>, _ rhs: ArraySlice<UInt8>) -> Bool {
        // The shortest form of a non-negative integer has a leading zero if its highest bit is set.
        let (left, right) = (lhs.drop { $0 == 0 }, rhs.drop { $0 == 0 })
        return left.count == right.count ? left.lexicographicallyPrecedes(right) : left.count < right.count
    }

    /// Returns whether two lists have the same bytes.
    public static func == (lhs: RevocationList, rhs: RevocationList) -> Bool { lhs.der == rhs.der }

    /// Hashes the bytes of the list.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(der.count)
        hasher.combine(thisUpdate)
    }
}
