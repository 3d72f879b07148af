import Crypto
public import HoldfastTrust

/// Answers OCSP requests in tests: soundly by default, and unsoundly in every way that an attacker might try.
public struct OCSPResponder: Sendable {
    /// What the responder says of a certificate.
    public enum Status: Hashable, Sendable {
        case good
        case revoked(Timestamp)
        case unknown
    }

    /// How the answer names whoever signed it.
    public enum Naming: Hashable, Sendable, CaseIterable {
        case byName
        case byKey
    }

    /// The authority whose certificates are asked about.
    public var issuer: Identity
    /// Who signs: the issuer, or a delegate.
    public var signer: Identity
    /// Whose name and key the answer gives as the signer's; `nil` for the signer's own.
    public var claims: Identity?
    /// Certificates that come along.
    public var certificates: [[UInt8]] = []
    public var naming: Naming = .byKey
    public var status: Status = .good
    /// When the status was known to be right; `nextUpdate` is `nil` where the answer does not say when it ends.
    public var thisUpdate: Timestamp
    public var nextUpdate: Timestamp?
    public var producedAt: Timestamp
    /// Whether the nonce of a request comes back.
    public var echoesNonce = true
    /// Extensions of the whole answer, and of what it says about the certificate.
    public var extensions: [ExtraExtension] = []
    public var singleExtensions: [ExtraExtension] = []
    /// Says the same of these certificates too, before the one asked about.
    public var others: [Identity] = []
    /// Leaves out the certificate that was asked about.
    public var omitsSubject = false
    /// The version as it is encoded; `nil` leaves the default of 0 (version 1) out, as DER asks.
    public var encodedVersion: UInt8?
    public var breaksSignature = false
    public var signatureHash: SignatureHash?

    /// A responder whose answers are fresh at `now` and good for a day.
    public init(issuer: Identity, signer: Identity? = nil, now: Timestamp = CertificateFactory.referenceTime) {
        self.issuer = issuer
        self.signer = signer ?? issuer
        self.thisUpdate = now.advanced(bySeconds: -3_600)
        self.nextUpdate = now.advanced(bySeconds: 86_400)
        self.producedAt = now.advanced(bySeconds: -3_600)
        if let signer { certificates = [signer.certificateDER] }
    }

    /// A certificate that lets its key sign answers for the issuer.
    public static func delegate(
        of issuer: Identity, _ factory: CertificateFactory = CertificateFactory(),
        _ change: (inout CertificateOptions) -> Void = { _ in }
    ) throws -> Identity {
        var options = CertificateOptions(extendedKeyUsages: [.ocspSigning])
        options.commonName = "OCSP responder"
        change(&options)
        return try factory.leaf([], signedBy: issuer, options)
    }

    /// The answer about a certificate.
    public func response(about subject: Identity, nonce: [UInt8]? = nil) throws -> [UInt8] {
        let named = others + (omitsSubject ? [] : [subject])
        var extensions = self.extensions
        if echoesNonce, let nonce {
            extensions.append(ExtraExtension("1.3.6.1.5.5.7.48.1.2", value: DERBytes.octetString(nonce)))
        }
        let version = encodedVersion.map { DERBytes.context(0, constructed: true, DERBytes.unsignedInteger([$0])) }
        let body = DERBytes.sequence([
            version ?? [], responderID, DERBytes.generalizedTime(producedAt), DERBytes.sequence(named.map(single)),
            Self.extensionList(1, extensions),
        ])
        var signature = try signer.key.sign(body, signatureHash)
        if breaksSignature, let last = signature.indices.last { signature[last] ^= 1 }
        let basic = DERBytes.sequence([
            body, signer.key.signatureAlgorithm(signatureHash), DERBytes.bitString(signature),
            certificates.isEmpty ? [] : DERBytes.context(0, constructed: true, DERBytes.sequence(certificates)),
        ])
        return DERBytes.sequence([
            DERBytes.element(0x0A, [0]),
            DERBytes.context(
                0, constructed: true,
                DERBytes.sequence([DERBytes.objectIdentifier("1.3.6.1.5.5.7.48.1.1"), DERBytes.octetString(basic)])),
        ])
    }

    /// An answer that is none: `tryLater` is 3, `unauthorized` 6. Nobody signs it.
    public static func refusal(_ status: UInt8) -> [UInt8] {
        DERBytes.sequence([DERBytes.element(0x0A, [status])])
    }

    /// The nonce in a request, found without Holdfast's own reader; `nil` if it has none.
    public static func nonce(in request: [UInt8]) -> [UInt8]? {
        let name = DERBytes.objectIdentifier("1.3.6.1.5.5.7.48.1.2")
        guard let place = request.firstRange(of: name) else { return nil }
        // Two short octet strings, one inside the other, are all that follows.
        let rest = request[place.upperBound...].dropFirst(4)
        return Array(rest)
    }

    // MARK: - Parts

    private var responderID: [UInt8] {
        let named = claims ?? signer
        return switch naming {
        case .byName: DERBytes.context(1, constructed: true, named.subject)
        case .byKey:
            DERBytes.context(
                2, constructed: true, DERBytes.octetString(Array(Insecure.SHA1.hash(data: named.view.rawKey))))
        }
    }

    private func single(_ subject: Identity) -> [UInt8] {
        let state: [UInt8] =
            switch status {
            case .good: DERBytes.context(0, constructed: false, [])
            case .revoked(let time): DERBytes.context(1, constructed: true, DERBytes.generalizedTime(time))
            case .unknown: DERBytes.context(2, constructed: false, [])
            }
        return DERBytes.sequence([
            certificateID(subject), state, DERBytes.generalizedTime(thisUpdate),
            nextUpdate.map { DERBytes.context(0, constructed: true, DERBytes.generalizedTime($0)) } ?? [],
            Self.extensionList(1, singleExtensions),
        ])
    }

    private func certificateID(_ subject: Identity) -> [UInt8] {
        DERBytes.sequence([
            DERBytes.sequence([DERBytes.objectIdentifier("1.3.14.3.2.26"), DERBytes.null()]),
            DERBytes.octetString(Array(Insecure.SHA1.hash(data: issuer.subject))),
            DERBytes.octetString(Array(Insecure.SHA1.hash(data: issuer.view.rawKey))),
            DERBytes.element(0x02, subject.serial),
        ])
    }

    private static func extensionList(_ number: UInt8, _ list: [ExtraExtension]) -> [UInt8] {
        guard !list.isEmpty else { return [] }
        let elements = list.map { item in
            DERBytes.sequence([
                DERBytes.objectIdentifier(item.objectIdentifier), item.isCritical ? DERBytes.boolean(true) : [],
                DERBytes.octetString(item.value),
            ])
        }
        return DERBytes.context(number, constructed: true, DERBytes.sequence(elements))
    }
}
