public import HoldfastTrust

/// A certificate revocation list before it is signed (RFC 5280, section 5.1). It is valid by default.
public struct RevocationListDraft: Sendable {
    /// The issuer of the list.
    public var issuer: Identity
    /// The issuer's Name in the list; `nil` for the bytes in the issuer's certificate.
    public var issuerName: [UInt8]?
    /// The key that signs instead of the issuer's key. The issuer's name stays.
    public var signingKey: Key?
    /// The revoked certificates.
    public var revoked: [Identity]
    /// The time at which the list was issued.
    public var thisUpdate: Timestamp
    /// The time by which the next list is issued; `nil` to leave the field out.
    public var nextUpdate: Timestamp?
    /// Additional extensions of the list, after its number.
    public var extensions: [ExtraExtension] = []
    /// Extensions of each entry.
    public var entryExtensions: [ExtraExtension] = []
    /// Whether the list's number is left out.
    public var omitsNumber = false
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
    }

    /// Returns the DER bytes of the signed list.
    public func der() throws -> [UInt8] {
        let signer = signingKey ?? issuer.key
        let algorithm = signer.signatureAlgorithm(signatureHash)
        let number = ExtraExtension("2.5.29.20", value: DERBytes.unsignedInteger([1]))
        let all = (omitsNumber ? [] : [number]) + extensions
        let body = DERBytes.sequence([
            DERBytes.unsignedInteger([1]), algorithm, issuerName ?? issuer.subject, DERBytes.time(thisUpdate),
            nextUpdate.map(DERBytes.time) ?? [],
            revoked.isEmpty ? [] : DERBytes.sequence(revoked.map(entry)),
            all.isEmpty ? [] : DERBytes.context(0, constructed: true, DERBytes.sequence(all.map(Self.element))),
        ])
        var signature = try signer.sign(body, signatureHash)
        if breaksSignature, let last = signature.indices.last { signature[last] ^= 1 }
        return DERBytes.sequence([body, algorithm, DERBytes.bitString(signature)])
    }

    private func entry(_ identity: Identity) -> [UInt8] {
        DERBytes.sequence([
            DERBytes.element(0x02, identity.serial), DERBytes.time(thisUpdate),
            entryExtensions.isEmpty ? [] : DERBytes.sequence(entryExtensions.map(Self.element)),
        ])
    }

    private static func element(_ item: ExtraExtension) -> [UInt8] {
        DERBytes.sequence([
            DERBytes.objectIdentifier(item.objectIdentifier), item.isCritical ? DERBytes.boolean(true) : [],
            DERBytes.octetString(item.value),
        ])
    }
}
