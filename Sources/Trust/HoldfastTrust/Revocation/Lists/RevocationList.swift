/// A certificate revocation list (RFC 5280, 5), as it lies in its DER bytes.
///
/// Complete lists alone: delta lists and lists that are limited to a part of an issuer's certificates carry critical
/// extensions that are not processed, and are refused when they are used.
public struct RevocationList: Hashable, Sendable {
    /// The bytes.
    public let der: [UInt8]
    /// When the list was made.
    public let thisUpdate: Timestamp
    /// When the next one is due; `nil` where the list does not say. Such a list is read, and refused when it is used: it
    /// would count forever, and RFC 5280, 5.1.2.5 asks every issuer for the date.
    public let nextUpdate: Timestamp?

    let tbs: Range<Int>
    let issuer: Range<Int>
    /// The issuer's name, to be compared with a certificate's.
    let issuerDigest: NameDigest
    let signatureAlgorithm: SignatureAlgorithm
    let signature: Range<Int>
    /// What makes the list unusable.
    let defects: [String]
    private let revokedSerials: Set<ArraySlice<UInt8>>

    /// The largest list that is read. The largest public ones have some ten megabytes.
    public static let maximumSize = 32 << 20

    /// Reads a DER list. Throws ``CertificateError`` for anything else, PEM included.
    public init(der: [UInt8]) throws(CertificateError) {
        guard !der.isEmpty else { throw CertificateError(.empty, "There are no bytes.") }
        guard der.count <= RevocationList.maximumSize else {
            throw CertificateError(.tooLarge, "\(der.count) bytes are more than a revocation list may have.")
        }
        let content: RevocationListContent
        do throws(DERFault) {
            content = try RevocationListContent(der)
        } catch {
            throw CertificateError(
                .malformedDER,
                "The bytes are no revocation list: at byte \(error.offset), \(error.reason.rawValue).",
                offset: error.offset)
        }
        self.der = der
        tbs = content.tbs
        issuer = content.issuer
        issuerDigest = NameDigest(content.issuer, in: der)
        signatureAlgorithm = SignatureAlgorithm(identifier: content.signatureAlgorithm, in: der)
        signature = content.signature
        thisUpdate = content.thisUpdate
        nextUpdate = content.nextUpdate
        defects = content.defects
        revokedSerials = content.revokedSerials
    }

    /// The issuer's name as text.
    public var issuerName: String { DistinguishedName.text(of: issuer, in: der) }

    /// The number of revoked certificates.
    public var count: Int { revokedSerials.count }

    /// Whether the list names this serial number.
    func revokes(serial: ArraySlice<UInt8>) -> Bool {
        revokedSerials.contains(serial)
    }

    public static func == (lhs: RevocationList, rhs: RevocationList) -> Bool { lhs.der == rhs.der }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(der.count)
        hasher.combine(thisUpdate)
    }
}
