/// A certificate revocation list (RFC 5280, 5) in DER.
///
/// Only complete lists are supported. Delta lists and lists for a part of an issuer's certificates have critical
/// extensions that are not processed, and are refused during verification.
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
    /// The issuer's name, for comparison with the name in a certificate.
    let issuerDigest: NameDigest
    let signatureAlgorithm: SignatureAlgorithm

    /// The maximum size in bytes. The largest public lists have about ten megabytes.
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
        issuerDigest = NameDigest(content.issuer, in: der)
        signatureAlgorithm = SignatureAlgorithm(identifier: content.signatureAlgorithm, in: der)
    }

    /// The issuer's name as text.
    public var issuerName: String { DistinguishedName.text(of: content.issuer, in: der) }

    /// The number of revoked certificates.
    public var count: Int { content.revokedSerials.count }

    /// Returns whether the list contains a serial number.
    func revokes(serial: ArraySlice<UInt8>) -> Bool {
        content.revokedSerials.contains(serial)
    }

    /// Returns whether two lists have the same bytes.
    public static func == (lhs: RevocationList, rhs: RevocationList) -> Bool { lhs.der == rhs.der }

    /// Hashes the bytes of the list.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(der.count)
        hasher.combine(thisUpdate)
    }
}

/// The parts of a revocation list as ranges of its bytes (RFC 5280, 5.1).
struct RevocationListContent {
    var tbs: Range<Int>
    var issuer: Range<Int>
    var thisUpdate: Timestamp
    var nextUpdate: Timestamp?
    var signatureAlgorithm: Range<Int>
    var signature: Range<Int>
    var revokedSerials: Set<ArraySlice<UInt8>> = []
    /// The reasons why the list must not be used.
    var defects: [String] = []

    /// `id-ce-cRLNumber` and `id-ce-authorityKeyIdentifier`, the extensions of a complete list (RFC 5280, 5.2).
    private static let number: [UInt8] = [0x55, 0x1D, 0x14]

    init(_ der: [UInt8]) throws(DERFault) {
        var parts = try DERReader(der).onlyElement()
        let tbsElement = try parts.read(DERTag.sequence)
        signatureAlgorithm = try parts.read(DERTag.sequence).whole
        signature = try parts.readBitString().bytes
        try parts.finish()

        tbs = tbsElement.whole
        var body = parts.inside(tbsElement)
        let version = body.nextTag == DERTag.integer ? try body.readSmallInteger() : 0
        if version > 1 { defects.append("version \(version + 1) is unknown") }
        let innerAlgorithm = try body.read(DERTag.sequence).whole
        if der[innerAlgorithm] != der[signatureAlgorithm] {
            defects.append("the two signature algorithm fields differ")
        }
        issuer = try body.read(DERTag.sequence).whole
        thisUpdate = try body.readTime().time
        if body.nextTag == DERTag.utcTime || body.nextTag == DERTag.generalizedTime {
            nextUpdate = try body.readTime().time
        } else {
            defects.append("the list does not specify when the next one is due")
        }
        if let revoked = try body.contentIfPresent(DERTag.sequence) { try readEntries(revoked) }
        if let wrapper = try body.contentIfPresent(DERTag.context(0, constructed: true)) {
            try readExtensions(try wrapper.onlyElement())
        } else {
            defects.append("the list has no number")
        }
        try body.finish()
    }

    private mutating func readEntries(_ reader: DERReader) throws(DERFault) {
        var reader = reader
        while !reader.isAtEnd {
            var entry = reader.inside(try reader.read(DERTag.sequence))
            revokedSerials.insert(reader.bytes[try entry.readInteger()])
            _ = try entry.readTime()
            // An unknown critical extension of an entry, such as the certificate issuer of an indirect list, makes the
            // whole list unusable.
            if var list = try entry.contentIfPresent(DERTag.sequence) {
                while !list.isAtEnd {
                    var item = list.inside(try list.read(DERTag.sequence))
                    _ = try item.read(DERTag.objectIdentifier)
                    if item.nextTag == DERTag.boolean, try item.readBoolean() {
                        defects.append("an entry has a critical extension")
                    }
                }
            }
            try entry.finish()
        }
    }

    private mutating func readExtensions(_ reader: DERReader) throws(DERFault) {
        var reader = reader
        var hasNumber = false
        while !reader.isAtEnd {
            let (identifier, isCritical, _) = try reader.readExtension()
            if identifier.elementsEqual(RevocationListContent.number) {
                hasNumber = true
            }
            // The list number must not be critical (RFC 5280, 5.2.3), and no other critical extension is processed.
            if isCritical {
                defects.append("the critical extension \(ObjectIdentifier.text(of: identifier)) is not processed")
            }
        }
        if !hasNumber { defects.append("the list has no number") }
    }
}
