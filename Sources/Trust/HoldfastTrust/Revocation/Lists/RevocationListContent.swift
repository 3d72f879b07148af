/// The parts of a revocation list as ranges of its bytes (RFC 5280, 5.1).
struct RevocationListContent: Sendable {
    var tbs: Range<Int>
    var issuer: Range<Int>
    /// The issuer's name, for comparison with the name in a certificate.
    var issuerDigest: NameDigest
    var thisUpdate: Timestamp
    var nextUpdate: Timestamp?
    var signatureAlgorithm: Range<Int>
    var signature: Range<Int>
    /// The number of the list (RFC 5280, 5.2.3).
    var number: Range<Int>?
    /// The number of the complete list that a delta list extends (RFC 5280, 5.2.4). `nil` for a complete list.
    var baseNumber: Range<Int>?
    /// The identifier of the key that signed the list.
    var keyIdentifier: Range<Int>?
    /// The extension that describes the scope, and its bytes.
    var scope = IssuingDistributionPoint.everything
    var scopeBytes: Range<Int>?
    var entries = RevocationEntryIndex()
    /// The reasons why the list must not be used.
    private(set) var defects: [String] = []

    /// The maximum number of extensions of a list and of an entry.
    ///
    /// - Error: `CertificateError.Code.malformedDER`
    private static let maximumExtensions = 32
    /// The maximum number of stored defects. Further ones are not stored, because one is enough to refuse the list.
    private static let maximumDefects = 8

    /// The extensions of a list that are processed (RFC 5280, 5.2; all below 2.5.29).
    private enum Known: UInt8 {
        case number = 20
        case deltaIndicator = 27
        case issuingDistributionPoint = 28
        case authorityKeyIdentifier = 35

        init?(_ identifier: ArraySlice<UInt8>) {
            guard identifier.count == 3, identifier.starts(with: [0x55, 0x1D]), let last = identifier.last else {
                return nil
            }
            self.init(rawValue: last)
        }
    }

    init(_ der: [UInt8]) throws(DERFault) {
        var parts = try DERReader(der).onlyElement()
        let tbsElement = try parts.read(DERTag.sequence)
        signatureAlgorithm = try parts.read(DERTag.sequence).whole
        signature = try parts.readBitString().bytes
        try parts.finish()

        tbs = tbsElement.whole
        var body = parts.inside(tbsElement)
        let version = body.nextTag == DERTag.integer ? try body.readSmallInteger() : 0
        let innerAlgorithm = try body.read(DERTag.sequence).whole
        issuer = try body.read(DERTag.sequence).whole
        issuerDigest = NameDigest(issuer, in: der)
        thisUpdate = try body.readTime().time
        if body.nextTag == DERTag.utcTime || body.nextTag == DERTag.generalizedTime {
            nextUpdate = try body.readTime().time
        }
        let revoked = try body.contentIfPresent(DERTag.sequence)
        let wrapper = try body.contentIfPresent(DERTag.context(0, constructed: true))
        try body.finish()

        if version > 1 { note("version \(version + 1) is unknown") }
        if der[innerAlgorithm] != der[signatureAlgorithm] { note("the two signature algorithm fields differ") }
        if nextUpdate == nil { note("the list does not specify when the next one is due") }
        // The extensions come first, because they determine how the entries are read.
        if let wrapper { try readExtensions(try wrapper.onlyElement()) }
        if number == nil { note("the list has no number") }
        if let revoked { try readEntries(revoked, der) }
    }

    /// Whether the list lacks only its number or its next update. It cannot show that a certificate is good, but what
    /// it revokes is certain.
    var isOnlyIncomplete: Bool { defects.count == [nextUpdate == nil, number == nil].count(where: \.self) }

    private mutating func note(_ defect: @autoclosure () -> String) {
        if defects.count < RevocationListContent.maximumDefects { defects.append(defect()) }
    }

    private mutating func readExtensions(_ reader: DERReader) throws(DERFault) {
        var reader = reader
        var seen: [ArraySlice<UInt8>] = []
        while !reader.isAtEnd {
            guard seen.count < RevocationListContent.maximumExtensions else { throw reader.fault(.tooManyElements) }
            let (identifier, isCritical, value) = try reader.readExtension()
            if seen.contains(identifier) {
                note("the extension \(ObjectIdentifier.text(of: identifier)) occurs twice")
            }
            seen.append(identifier)
            var inner = DERReader(reader.bytes, in: value)
            switch Known(identifier) {
            case .number:
                number = try RevocationListContent.number(&inner)
                // RFC 5280, 5.2.3: the number must not be critical.
                if isCritical { note("the critical extension 2.5.29.20 is not processed") }
            case .deltaIndicator: baseNumber = try RevocationListContent.number(&inner)
            case .issuingDistributionPoint:
                scope = try IssuingDistributionPoint(inner)
                scopeBytes = value
                let kinds = [scope.onlyUserCertificates, scope.onlyAuthorities, scope.onlyAttributeCertificates]
                if kinds.count(where: \.self) > 1 { note("the list is for contradictory kinds of certificates") }
            case .authorityKeyIdentifier:
                if isCritical { note("the critical extension 2.5.29.35 is not processed") }
                var fields = try inner.contentIfPresent(DERTag.sequence)
                keyIdentifier = try fields?.readIfPresent(DERTag.context(0, constructed: false))?.content
            case nil:
                // RFC 5280, 5.2: a list with a critical extension that is not processed must not be used.
                if isCritical {
                    note("the critical extension \(ObjectIdentifier.text(of: identifier)) is not processed")
                }
            }
        }
    }

    /// Reads a number of a list: not negative, and at most 20 bytes (RFC 5280, 5.2.3).
    private static func number(_ reader: inout DERReader) throws(DERFault) -> Range<Int> {
        let range = try reader.readInteger()
        try reader.finish()
        guard range.count <= 20, reader.bytes[range.lowerBound] & 0x80 == 0 else {
            throw DERFault(reason: .invalidInteger, offset: range.lowerBound)
        }
        return range
    }

    private mutating func readEntries(_ reader: DERReader, _ der: [UInt8]) throws(DERFault) {
        var reader = reader
        var starts: [UInt32] = []
        starts.reserveCapacity((reader.end - reader.position) / 32)
        while !reader.isAtEnd {
            let element = try reader.read(DERTag.sequence)
            var entry = reader.inside(element)
            _ = try entry.readInteger()
            _ = try entry.readTime()
            if let extensions = try entry.contentIfPresent(DERTag.sequence) {
                try readExtensions(of: element, extensions)
            }
            try entry.finish()
            starts.append(UInt32(truncatingIfNeeded: element.whole.lowerBound))
        }
        entries.build(starts, in: der, listIssuer: issuerDigest)
    }

    private mutating func readExtensions(of entry: DERElement, _ reader: DERReader) throws(DERFault) {
        var reader = reader
        var count = 0
        while !reader.isAtEnd {
            count += 1
            guard count <= RevocationListContent.maximumExtensions else { throw reader.fault(.tooManyElements) }
            let (identifier, isCritical, value) = try reader.readExtension()
            if identifier.elementsEqual(RevocationEntry.reasonIdentifier) {
                var inner = DERReader(reader.bytes, in: value)
                _ = try inner.readSmallInteger(DERTag.enumerated)
                try inner.finish()
            } else if identifier.elementsEqual(RevocationEntry.certificateIssuer) {
                guard scope.isIndirect else {
                    note("an entry is about another issuer, but the list is not indirect")
                    continue
                }
                let names = try GeneralName.sequence(DERReader(reader.bytes, in: value))
                guard case .directory(let range) = names.first, names.count == 1 else {
                    throw DERFault(reason: .unexpectedTag, offset: value.lowerBound)
                }
                try entries.begin(NameDigest(range, in: reader.bytes), at: entry.whole.lowerBound)
            } else if isCritical, !identifier.elementsEqual(RevocationEntry.invalidityDate) {
                // RFC 5280, 5.3: a list with such an entry must not be used.
                note(
                    "an entry has the critical extension \(ObjectIdentifier.text(of: identifier)), "
                        + "which is not processed")
            }
        }
    }
}
