/// A place where an authority publishes a list (`DistributionPoint`, RFC 5280, 4.2.1.13).
struct DistributionPoint: Hashable, Sendable {
    /// The names of the lists at this point, or `nil` if the point is identified by its issuers only.
    var name: DistributionPointName?
    /// The reasons that the lists at this point cover.
    var reasons = RevocationReasons.all
    /// The issuers of the lists, as digests and as DER, if another authority issues them. `nil` for the issuer of the
    /// certificate.
    var issuers: [DirectoryName]?

    /// The maximum number of points that are read, and of names in one point. A certificate with more counts as one
    /// without points.
    ///
    /// - Error: `CertificateError.Code.malformedDER` for a list
    static let maximumCount = 32

    /// A distinguished name.
    struct DirectoryName: Hashable, Sendable {
        var digest: NameDigest
        var der: [UInt8]

        init(_ range: Range<Int>, in bytes: [UInt8]) {
            digest = NameDigest(range, in: bytes)
            der = Array(bytes[range])
        }
    }

    /// Reads the value of the extension `cRLDistributionPoints`.
    static func list(_ reader: DERReader) throws(DERFault) -> [DistributionPoint] {
        var inner = try reader.onlyElement()
        var points: [DistributionPoint] = []
        while !inner.isAtEnd {
            guard points.count < maximumCount else { throw inner.fault(.tooManyElements) }
            var fields = inner.inside(try inner.read(DERTag.sequence))
            points.append(try DistributionPoint(&fields))
        }
        return points
    }

    private init(_ fields: inout DERReader) throws(DERFault) {
        if var choice = try fields.contentIfPresent(DERTag.context(0, constructed: true)) {
            name = try DistributionPointName(&choice)
        }
        if fields.nextTag == DERTag.context(1, constructed: false) {
            reasons = try RevocationReasons(&fields, DERTag.context(1, constructed: false))
        }
        if var names = try fields.contentIfPresent(DERTag.context(2, constructed: true)) {
            var found: [DirectoryName] = []
            while !names.isAtEnd {
                guard found.count < DistributionPoint.maximumCount else { throw names.fault(.tooManyElements) }
                // RFC 5280, 4.2.1.13: the issuer is a distinguished name. Other forms never match a list.
                if case .directory(let range) = try GeneralName(&names) {
                    found.append(DirectoryName(range, in: fields.bytes))
                }
            }
            issuers = found
        }
        try fields.finish()
    }

    /// The texts of the URLs at this point.
    var urls: [[UInt8]] {
        guard case .full(let names) = name else { return [] }
        return names.compactMap { if case .uri(let text) = $0 { text } else { nil } }
    }
}

/// The name of a distribution point (RFC 5280, 4.2.1.13): complete, or relative to the issuer of the list.
enum DistributionPointName: Hashable, Sendable {
    /// One of several names of the same list.
    enum Form: Hashable, Sendable {
        case uri([UInt8])
        case directory(NameDigest)
    }

    case full([Form])
    /// The attributes of a relative distinguished name: the content of the set.
    case relative([UInt8])

    /// Reads the choice inside its explicit tag.
    init(_ choice: inout DERReader) throws(DERFault) {
        let element = try choice.read()
        try choice.finish()
        var inner = choice.inside(element)
        switch element.tag {
        case DERTag.context(0, constructed: true):
            var forms: [Form] = []
            while !inner.isAtEnd {
                guard forms.count < DistributionPoint.maximumCount else { throw inner.fault(.tooManyElements) }
                switch try GeneralName(&inner) {
                case .uri(let range): forms.append(.uri(Array(choice.bytes[range])))
                case .directory(let range): forms.append(.directory(NameDigest(range, in: choice.bytes)))
                default: break
                }
            }
            self = .full(forms)
        case DERTag.context(1, constructed: true): self = .relative(Array(choice.bytes[element.content]))
        default: throw DERFault(reason: .unexpectedTag, offset: element.whole.lowerBound)
        }
    }

    /// Returns the complete names. A relative name is appended to the `Name` of the list's issuer.
    func forms(below issuer: [UInt8]) -> [Form] {
        switch self {
        case .full(let forms): return forms
        case .relative(let attributes):
            guard let names = try? DERReader(issuer).onlyElement() else { return [] }
            let content =
                Array(issuer[names.position..<names.end]) + DERWriter.element(DERTag.set, attributes)
            let name = DERWriter.element(DERTag.sequence, content)
            return [.directory(NameDigest(name.indices, in: name))]
        }
    }
}

/// The part of an issuer's certificates that a list covers (`IssuingDistributionPoint`, RFC 5280, 5.2.5).
struct IssuingDistributionPoint: Hashable, Sendable {
    var name: DistributionPointName?
    var onlyUserCertificates = false
    var onlyAuthorities = false
    var onlyAttributeCertificates = false
    var reasons = RevocationReasons.all
    /// Whether the list contains certificates of other issuers.
    var isIndirect = false

    /// The scope of a list without the extension: all certificates of its issuer.
    static var everything: IssuingDistributionPoint { IssuingDistributionPoint() }

    private init() {}

    init(_ reader: DERReader) throws(DERFault) {
        var fields = try reader.onlyElement()
        if var choice = try fields.contentIfPresent(DERTag.context(0, constructed: true)) {
            name = try DistributionPointName(&choice)
        }
        onlyUserCertificates = try fields.readFlag(1)
        onlyAuthorities = try fields.readFlag(2)
        if fields.nextTag == DERTag.context(3, constructed: false) {
            reasons = try RevocationReasons(&fields, DERTag.context(3, constructed: false))
        }
        isIndirect = try fields.readFlag(4)
        onlyAttributeCertificates = try fields.readFlag(5)
        try fields.finish()
    }

    /// Returns the reasons for which the list covers a certificate, or `nil` if it does not cover the certificate.
    ///
    /// RFC 5280, 6.3.3 (b). A certificate without distribution points is covered by the lists of its own issuer, whose
    /// distribution point, if any, has the issuer's name.
    func covered(
        _ certificate: CertificateView, points: [DistributionPoint], issuer: NameDigest, issuerName: [UInt8]
    ) -> RevocationReasons? {
        if onlyAttributeCertificates { return nil }
        if certificate.isCertificateAuthority ? onlyUserCertificates : onlyAuthorities { return nil }
        let ownIssuer = certificate.parsed.issuerName
        let ownNames = name?.forms(below: issuerName)
        var found: RevocationReasons?
        if ownIssuer == issuer, ownNames?.contains(.directory(ownIssuer)) ?? true { found = reasons }
        for point in points {
            let names: [DistributionPointName.Form]
            if let issuers = point.issuers {
                // A list of another issuer must say that it contains certificates of several issuers.
                guard issuers.contains(where: { $0.digest == issuer }), issuer == ownIssuer || isIndirect else {
                    continue
                }
                let base = issuers.count == 1 ? issuers[0].der : []
                names = point.name?.forms(below: base) ?? issuers.map { .directory($0.digest) }
            } else {
                guard ownIssuer == issuer else { continue }
                names = point.name?.forms(below: Array(certificate.der[certificate.parsed.outline.issuer])) ?? []
            }
            guard ownNames.map({ !Set($0).isDisjoint(with: names) }) ?? true else { continue }
            found = (found ?? []).union(reasons.intersection(point.reasons))
        }
        return found
    }
}

extension DERReader {
    /// Reads an optional boolean with an implicit tag. Its default is false.
    fileprivate mutating func readFlag(_ number: UInt8) throws(DERFault) -> Bool {
        guard let element = try readIfPresent(DERTag.context(number, constructed: false)) else { return false }
        guard element.content.count == 1, [0x00, 0xFF].contains(bytes[element.content.lowerBound]) else {
            throw DERFault(reason: .invalidBoolean, offset: element.content.lowerBound)
        }
        return bytes[element.content.lowerBound] == 0xFF
    }
}
