public import HoldfastTrust

/// A certificate revocation list before it is signed (RFC 5280, section 5.1). It is valid by default.
public struct RevocationListDraft: Sendable {
    /// The scope of a list (RFC 5280, section 5.2.5).
    public struct Scope: Hashable, Sendable {
        /// The URLs of the distribution point.
        public var urls: [String] = []
        /// Whether the list contains only certificates of users.
        public var onlyUserCertificates = false
        /// Whether the list contains only certificates of authorities.
        public var onlyAuthorities = false
        /// Whether the list contains only attribute certificates.
        public var onlyAttributeCertificates = false
        /// The numbers of the reason flags that the list covers; `nil` for all.
        public var reasonFlags: [Int]?
        /// Whether the list contains certificates of other issuers.
        public var isIndirect = false

        /// Creates a scope. By default it contains all certificates of the issuer.
        public init(_ urls: String...) { self.urls = urls }
    }

    /// A revoked certificate.
    public struct Entry: Sendable {
        /// The certificate's serial number.
        public var serial: [UInt8]
        /// The time of the revocation; `nil` for the time of the list.
        public var time: Timestamp?
        /// The number of the reason (`CRLReason`); `nil` to leave it out.
        public var reason: UInt8?
        /// The issuer of the certificate, for an indirect list.
        public var issuer: Identity?

        /// Creates an entry.
        public init(_ identity: Identity, reason: UInt8? = nil, time: Timestamp? = nil, issuer: Identity? = nil) {
            self.serial = identity.serial
            self.reason = reason
            self.time = time
            self.issuer = issuer
        }

        /// Creates an entry for a serial number.
        public init(serial: [UInt8], reason: UInt8? = nil, time: Timestamp? = nil) {
            self.serial = serial
            self.reason = reason
            self.time = time
        }
    }

    /// The issuer of the list.
    public var issuer: Identity
    /// The issuer's Name in the list; `nil` for the bytes in the issuer's certificate.
    public var issuerName: [UInt8]?
    /// The key that signs instead of the issuer's key. The issuer's name stays.
    public var signingKey: Key?
    /// The revoked certificates.
    public var revoked: [Identity]
    /// Further entries, after those of ``revoked``.
    public var entries: [Entry] = []
    /// The time at which the list was issued.
    public var thisUpdate: Timestamp
    /// The time by which the next list is issued; `nil` to leave the field out.
    public var nextUpdate: Timestamp?
    /// The number of the list.
    public var number: UInt8 = 1
    /// Whether the list's number is left out.
    public var omitsNumber = false
    /// The number of the complete list that a delta list extends; `nil` for a complete list.
    public var baseNumber: UInt8?
    /// The certificate whose key identifier the list contains; `nil` to leave the extension out.
    public var keyIdentifierOf: Identity?
    /// The scope of the list; `nil` to leave the extension out.
    public var scope: Scope?
    /// Additional extensions of the list, after the others.
    public var extensions: [ExtraExtension] = []
    /// Additional extensions of each entry.
    public var entryExtensions: [ExtraExtension] = []
    /// Whether one bit of the signature is inverted.
    public var breaksSignature = false
    /// The hash of the signature; `nil` for the key's default.
    public var signatureHash: SignatureHash?

    /// Creates a list that was issued an hour before `now`. The next update is due a day after `now`.
    public init(
        issuer: Identity, revoking revoked: [Identity] = [], now: Timestamp = CertificateFactory.referenceTime
    ) {
        self.issuer = issuer
        self.revoked = revoked
        thisUpdate = now.advanced(bySeconds: -3_600)
        nextUpdate = now.advanced(bySeconds: 86_400)
        keyIdentifierOf = issuer
    }

    /// Returns the DER bytes of the signed list.
    public func der() throws -> [UInt8] {
        let signer = signingKey ?? issuer.key
        let algorithm = signer.signatureAlgorithm(signatureHash)
        let all = standardExtensions + extensions
        let entries = revoked.map { Entry($0) } + entries
        let body = DERBytes.sequence([
            DERBytes.unsignedInteger([1]), algorithm, issuerName ?? issuer.subject, DERBytes.time(thisUpdate),
            nextUpdate.map(DERBytes.time) ?? [],
            entries.isEmpty ? [] : DERBytes.sequence(entries.map(element)),
            all.isEmpty ? [] : DERBytes.context(0, constructed: true, DERBytes.sequence(all.map(Self.element))),
        ])
        var signature = try signer.sign(body, signatureHash)
        if breaksSignature, let last = signature.indices.last { signature[last] ^= 1 }
        return DERBytes.sequence([body, algorithm, DERBytes.bitString(signature)])
    }

    private var standardExtensions: [ExtraExtension] {
        var list: [ExtraExtension] = []
        if let identifier = keyIdentifierOf?.subjectKeyIdentifier {
            let value = DERBytes.sequence([DERBytes.context(0, constructed: false, identifier)])
            list.append(ExtraExtension("2.5.29.35", value: value))
        }
        if !omitsNumber { list.append(ExtraExtension("2.5.29.20", value: DERBytes.unsignedInteger([number]))) }
        if let baseNumber {
            list.append(
                ExtraExtension("2.5.29.27", isCritical: true, value: DERBytes.unsignedInteger([baseNumber])))
        }
        if let scope { list.append(ExtraExtension("2.5.29.28", isCritical: true, value: scope.der)) }
        return list
    }

    private func element(_ entry: Entry) -> [UInt8] {
        var all = entryExtensions
        if let reason = entry.reason {
            all.append(ExtraExtension("2.5.29.21", value: DERBytes.element(0x0A, [reason])))
        }
        if let issuer = entry.issuer {
            let name = DERBytes.context(4, constructed: true, issuer.subject)
            all.append(ExtraExtension("2.5.29.29", isCritical: true, value: DERBytes.sequence([name])))
        }
        return DERBytes.sequence([
            DERBytes.element(0x02, entry.serial), DERBytes.time(entry.time ?? thisUpdate),
            all.isEmpty ? [] : DERBytes.sequence(all.map(Self.element)),
        ])
    }

    private static func element(_ item: ExtraExtension) -> [UInt8] {
        DERBytes.sequence([
            DERBytes.objectIdentifier(item.objectIdentifier), item.isCritical ? DERBytes.boolean(true) : [],
            DERBytes.octetString(item.value),
        ])
    }
}

extension RevocationListDraft.Scope {
    /// The value of the extension `issuingDistributionPoint`.
    var der: [UInt8] {
        func flag(_ number: UInt8, _ value: Bool) -> [UInt8] {
            value ? DERBytes.context(number, constructed: false, [0xFF]) : []
        }
        return DERBytes.sequence([
            urls.isEmpty ? [] : DERBytes.context(0, constructed: true, ExtraExtension.fullName(urls)),
            flag(1, onlyUserCertificates), flag(2, onlyAuthorities),
            reasonFlags.map { DERBytes.context(3, constructed: false, ExtraExtension.bits($0)) } ?? [],
            flag(4, isIndirect), flag(5, onlyAttributeCertificates),
        ])
    }
}
