/// A certificate revocation list (RFC 5280, 5), as it lies in its DER bytes.
///
/// Complete lists alone: delta lists and lists that are limited to a part of an issuer's certificates carry critical
/// extensions that are not processed, and are refused when they are used.
public struct RevocationList: Hashable, Sendable {
    /// The bytes.
    public let der: [UInt8]
    /// When the list was made.
    public var thisUpdate: Timestamp { content.thisUpdate }
    /// When the next one is due; `nil` where the list does not say. Such a list is read, and refused when it is used: it
    /// would count forever, and RFC 5280, 5.1.2.5 asks every issuer for the date.
    public var nextUpdate: Timestamp? { content.nextUpdate }

    let content: RevocationListContent
    /// The issuer's name, to be compared with a certificate's.
    let issuerDigest: NameDigest
    let signatureAlgorithm: SignatureAlgorithm

    /// The largest list that is read. The largest public ones have some ten megabytes.
    public static let maximumSize = 32 << 20

    /// Reads a DER list. Throws ``CertificateError`` for anything else, PEM included.
    public init(der: [UInt8]) throws(CertificateError) {
        guard !der.isEmpty else { throw CertificateError(.empty, "There are no bytes.") }
        guard der.count <= RevocationList.maximumSize else {
            throw CertificateError(.tooLarge, "\(der.count) bytes are more than a revocation list may have.")
        }
        do throws(DERFault) {
            content = try RevocationListContent(der)
        } catch {
            throw CertificateError(
                .malformedDER,
                "The bytes are no revocation list: at byte \(error.offset), \(error.reason.rawValue).",
                offset: error.offset)
        }
        self.der = der
        issuerDigest = NameDigest(content.issuer, in: der)
        signatureAlgorithm = SignatureAlgorithm(identifier: content.signatureAlgorithm, in: der)
    }

    /// The issuer's name as text.
    public var issuerName: String { DistinguishedName.text(of: content.issuer, in: der) }

    /// The number of revoked certificates.
    public var count: Int { content.revokedSerials.count }

    /// Whether the list names this serial number.
    func revokes(serial: ArraySlice<UInt8>) -> Bool {
        content.revokedSerials.contains(serial)
    }

    public static func == (lhs: RevocationList, rhs: RevocationList) -> Bool { lhs.der == rhs.der }

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
    /// What makes the list unusable.
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
            defects.append("it does not say when the next one is due")
        }
        if let revoked = try body.readIfPresent(DERTag.sequence) { try readEntries(body.inside(revoked)) }
        if let wrapper = try body.readIfPresent(DERTag.context(0, constructed: true)) {
            try readExtensions(try body.inside(wrapper).onlyElement())
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
            // An entry's extension that must be understood (an indirect list's certificate issuer) makes the list
            // unusable as a whole.
            if let extensions = try entry.readIfPresent(DERTag.sequence) {
                var list = entry.inside(extensions)
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
            // The list number must not be critical (5.2.3), and no other critical extension is processed.
            if isCritical {
                defects.append("the critical extension \(ObjectIdentifier.text(of: identifier)) is not processed")
            }
        }
        if !hasNumber { defects.append("the list has no number") }
    }
}
