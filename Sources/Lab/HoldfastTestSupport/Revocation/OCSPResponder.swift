import Crypto
public import HoldfastTrust

/// Creates OCSP responses for tests: valid by default, and invalid in every way that an attacker might try.
public struct OCSPResponder: Sendable {
    /// The status of a certificate.
    public enum Status: Hashable, Sendable {
        case good
        case revoked(Timestamp)
        case unknown
    }

    /// How the response identifies its signer.
    public enum Naming: Hashable, Sendable, CaseIterable {
        case byName
        case byKey
    }

    /// The issuer of the certificates in question.
    public var issuer: Identity
    /// The identity that signs: the issuer or a delegate.
    public var signer: Identity
    /// The identity whose name or key the response gives as the signer's; `nil` for the actual signer.
    public var claims: Identity?
    /// The certificates in the response.
    public var certificates: [[UInt8]] = []
    /// How the response identifies its signer.
    public var naming: Naming = .byKey
    /// The status in the response.
    public var status: Status = .good
    /// The time for which the status is known to be correct.
    public var thisUpdate: Timestamp
    /// The time at which a newer response will be available; `nil` to leave the field out.
    public var nextUpdate: Timestamp?
    /// The time at which the response was signed.
    public var producedAt: Timestamp
    /// Whether the response contains the request's nonce.
    public var echoesNonce = true
    /// Extensions of the whole response.
    public var extensions: [ExtraExtension] = []
    /// Extensions of the single response about the certificate.
    public var singleExtensions: [ExtraExtension] = []
    /// Other certificates to which the same status applies. They come before the certificate in question.
    public var others: [Identity] = []
    /// Whether the certificate in question is left out.
    public var omitsSubject = false
    /// The version as it is encoded; `nil` leaves the default of 0 (version 1) out, as DER requires.
    public var encodedVersion: UInt8?
    /// Whether one bit of the signature is inverted.
    public var breaksSignature = false
    /// The hash of the signature; `nil` for the signer's default.
    public var signatureHash: SignatureHash?

    /// Creates a responder whose responses were produced an hour before `now` and are valid until a day after `now`.
    public init(issuer: Identity, signer: Identity? = nil, now: Timestamp = CertificateFactory.referenceTime) {
        self.issuer = issuer
        self.signer = signer ?? issuer
        self.thisUpdate = now.advanced(bySeconds: -3_600)
        self.nextUpdate = now.advanced(bySeconds: 86_400)
        self.producedAt = now.advanced(bySeconds: -3_600)
        if let signer { certificates = [signer.certificateDER] }
    }

    /// Returns a certificate that permits its key to sign responses for the issuer.
    public static func delegate(
        of issuer: Identity, _ factory: CertificateFactory = CertificateFactory(),
        _ change: (inout CertificateOptions) -> Void = { _ in }
    ) throws -> Identity {
        var options = CertificateOptions(extendedKeyUsages: [.ocspSigning])
        options.commonName = "OCSP responder"
        change(&options)
        return try factory.leaf([], signedBy: issuer, options)
    }

    /// Returns the response about a certificate.
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

    /// Returns an unsigned error response. Status 3 is `tryLater`, 6 is `unauthorized`.
    public static func refusal(_ status: UInt8) -> [UInt8] {
        DERBytes.sequence([DERBytes.element(0x0A, [status])])
    }

    /// Returns the nonce in a request without using Holdfast's own parser; `nil` if the request has no nonce.
    public static func nonce(in request: [UInt8]) -> [UInt8]? {
        let name = DERBytes.objectIdentifier("1.3.6.1.5.5.7.48.1.2")
        guard let place = request.firstRange(of: name) else { return nil }
        // Only two short octet strings follow, one inside the other.
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
