public import HoldfastTrust

/// The ways in which a certificate differs from the defaults of its role. All fields are optional.
public struct CertificateOptions: Sendable {
    // MARK: Key and names

    /// The key; `nil` generates a new key of ``keyKind``.
    public var key: Key?
    /// The kind of the generated key.
    public var keyKind: KeyKind = .p256
    /// Raw SubjectPublicKeyInfo bytes that replace the key's own, for key types that no library supports.
    public var publicKeyInfo: [UInt8]?
    /// The subject's common name, if it differs from the default; empty for a subject without a name.
    public var commonName: String?
    /// The subject's organization.
    public var organization: String?
    /// The DER bytes of the subject's Name. They replace the name made of the other fields.
    public var subject: [UInt8]?
    /// The DER bytes of the issuer's Name, if they differ from those in the issuer's certificate.
    public var issuer: [UInt8]?
    /// Additional names, as raw GeneralName elements, after the DNS names and addresses.
    public var extraGeneralNames: [[UInt8]] = []

    // MARK: Validity and form

    /// The start of the validity; default: one day before the factory's time.
    public var notBefore: Timestamp?
    /// The end of the validity; default: 90 days after the factory's time for a leaf, 5 or 10 years for authorities.
    public var notAfter: Timestamp?
    /// Whether both dates are encoded as GeneralizedTime even before 2050, as some public authorities do.
    public var usesGeneralizedTime = false
    /// The big-endian bytes of the serial number; default: 16 random bytes.
    public var serial: [UInt8]?
    /// The X.509 version, 1 to 3. Only version 3 has extensions.
    public var version = 3

    // MARK: Extensions

    /// The cA bit of the basic constraints; default: by role.
    public var isCA: Bool?
    /// The path length constraint; default: none.
    public var pathLength: Int?
    /// The key usage; default: by role.
    public var keyUsage: KeyUsages?
    /// The extended key usage; default: `serverAuth` for a leaf, absent for authorities. An empty list is encoded.
    public var extendedKeyUsages: [ExtendedUsage]?
    /// The name constraints; default: none.
    public var nameConstraints: NameConstraintSet?
    /// Extensions of the role to leave out.
    public var omitting: Set<StandardExtension> = []
    /// The extensions marked critical.
    public var critical: Set<StandardExtension> = [.basicConstraints, .keyUsage, .nameConstraints]
    /// The subject key identifier; default: the first 20 bytes of the SPKI hash.
    public var subjectKeyIdentifier: [UInt8]?
    /// The authority key identifier; default: the issuer's subject key identifier.
    public var authorityKeyIdentifier: [UInt8]?
    /// Raw extensions, after the others. An extension with a standard identifier creates a duplicate.
    public var extraExtensions: [ExtraExtension] = []

    // MARK: Signature

    /// The signature's hash; default: by the signing key.
    public var signatureHash: SignatureHash?
    /// The key that signs instead of the issuer's key. The issuer's name stays, so that the certificate only claims its
    /// issuer.
    public var signingKey: Key?
    /// Whether one bit of the signature is inverted.
    public var breaksSignature = false
    /// The hash of the AlgorithmIdentifier outside the signed part, if it differs from the one inside.
    public var outerSignatureHash: SignatureHash?

    /// Creates options with the defaults and the given values.
    public init(
        key: Key? = nil, keyKind: KeyKind = .p256, notBefore: Timestamp? = nil, notAfter: Timestamp? = nil,
        isCA: Bool? = nil, pathLength: Int? = nil, keyUsage: KeyUsages? = nil,
        extendedKeyUsages: [ExtendedUsage]? = nil, nameConstraints: NameConstraintSet? = nil, serial: [UInt8]? = nil,
        omitting: Set<StandardExtension> = []
    ) {
        self.key = key
        self.keyKind = keyKind
        self.notBefore = notBefore
        self.notAfter = notAfter
        self.isCA = isCA
        self.pathLength = pathLength
        self.keyUsage = keyUsage
        self.extendedKeyUsages = extendedKeyUsages
        self.nameConstraints = nameConstraints
        self.serial = serial
        self.omitting = omitting
    }

    /// Returns the defaults, changed by a closure. Use it for options that the initializer does not list.
    public static func with(
        _ change: (inout CertificateOptions) throws -> Void
    ) rethrows -> CertificateOptions {
        var options = CertificateOptions()
        try change(&options)
        return options
    }
}
