public import HoldfastTrust

/// A certificate revocation list before it is signed (RFC 5280, 5.1): sound by default.
public struct RevocationListDraft: Sendable {
    /// Who issues the list.
    public var issuer: Identity
    /// The issuer's Name as it is written in the list; `nil` for the bytes of the issuer's certificate.
    public var issuerName: [UInt8]?
    /// Signs with this key though the issuer's name stays.
    public var signingKey: Key?
    /// The certificates that it revokes.
    public var revoked: [Identity]
    public var thisUpdate: Timestamp
    public var nextUpdate: Timestamp?
    /// Extensions of the list besides its number, and of each entry.
    public var extensions: [ExtraExtension] = []
    public var entryExtensions: [ExtraExtension] = []
    public var omitsNumber = false
    public var breaksSignature = false
    public var signatureHash: SignatureHash?

    /// A list that is fresh at `now` and due to be replaced a day later.
    public init(
        issuer: Identity, revoking revoked: [Identity] = [], now: Timestamp = CertificateFactory.referenceTime
    ) {
        self.issuer = issuer
        self.revoked = revoked
        thisUpdate = now.advanced(bySeconds: -3_600)
        nextUpdate = now.advanced(bySeconds: 86_400)
    }

    /// The finished list.
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
