public import HoldfastTrust

/// What a certificate has that differs from the sane default of its role. Everything is optional.
public struct CertificateOptions: Sendable {
    // MARK: Key and names

    /// The key; `nil` makes a fresh one of ``keyKind``.
    public var key: Key?
    /// The kind of the fresh key.
    public var keyKind: KeyKind = .p256
    /// Raw SubjectPublicKeyInfo bytes instead of the key's own, for keys that no library knows.
    public var publicKeyInfo: [UInt8]?
    /// The subject's common name where it is not the obvious one; empty for a subject without any name.
    public var commonName: String?
    /// The subject's organisation.
    public var organization: String?
    /// The DER bytes of the subject's Name, in the place of what the other fields make of it.
    public var subject: [UInt8]?
    /// The DER bytes of the issuer's Name as the certificate has it, where they are not those of the issuer's certificate.
    public var issuer: [UInt8]?
    /// Further names, as raw GeneralName elements, behind the DNS names and addresses.
    public var extraGeneralNames: [[UInt8]] = []

    // MARK: Validity and form

    /// Start of the validity; default one day before the factory's time.
    public var notBefore: Timestamp?
    /// End of the validity; default 90 days after the factory's time for a leaf, 5 and 10 years for authorities.
    public var notAfter: Timestamp?
    /// Whether both dates are written as GeneralizedTime, before 2050 too, as some public authorities do.
    public var usesGeneralizedTime = false
    /// The serial number's big-endian bytes; default 16 random ones.
    public var serial: [UInt8]?
    /// The X.509 version, 1 to 3. Only version 3 has extensions.
    public var version = 3

    // MARK: Extensions

    /// The cA bit of the basic constraints; default by role.
    public var isCA: Bool?
    /// The path length constraint; default none.
    public var pathLength: Int?
    /// The key usage; default by role.
    public var keyUsage: KeyUsages?
    /// The extended key usage; default `serverAuth` for a leaf, absent for authorities. An empty list is written.
    public var extendedKeyUsages: [ExtendedUsage]?
    /// Name constraints; default none.
    public var nameConstraints: NameConstraintSet?
    /// Extensions that are left out though the role has them.
    public var omitting: Set<StandardExtension> = []
    /// Extensions that are marked critical.
    public var critical: Set<StandardExtension> = [.basicConstraints, .keyUsage, .nameConstraints]
    /// Subject key identifier; default the first 20 bytes of the SPKI hash.
    public var subjectKeyIdentifier: [UInt8]?
    /// Authority key identifier; default the issuer's subject key identifier.
    public var authorityKeyIdentifier: [UInt8]?
    /// Extensions written byte by byte, after the others. One with a standard identifier makes a duplicate.
    public var extraExtensions: [ExtraExtension] = []

    // MARK: Signature

    /// The hash under the signature; default by the signing key.
    public var signatureHash: SignatureHash?
    /// Signs with this key though the issuer's name stays: a certificate that only claims its issuer.
    public var signingKey: Key?
    /// Whether one bit of the signature is turned over.
    public var breaksSignature = false
    /// Writes this AlgorithmIdentifier hash outside of the signed part, so that the two differ.
    public var outerSignatureHash: SignatureHash?

    /// The defaults, but for what is given.
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

    /// The defaults, changed by a closure: for the options that the initialiser does not list.
    public static func with(
        _ change: (inout CertificateOptions) throws -> Void
    ) rethrows -> CertificateOptions {
        var options = CertificateOptions()
        try change(&options)
        return options
    }
}

/// The bits of a certificate's key usage (RFC 5280, 4.2.1.3).
public struct KeyUsages: OptionSet, Hashable, Sendable {
    public let rawValue: UInt16
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    public static let digitalSignature = KeyUsages(rawValue: 1 << 0)
    public static let nonRepudiation = KeyUsages(rawValue: 1 << 1)
    public static let keyEncipherment = KeyUsages(rawValue: 1 << 2)
    public static let dataEncipherment = KeyUsages(rawValue: 1 << 3)
    public static let keyAgreement = KeyUsages(rawValue: 1 << 4)
    public static let keyCertSign = KeyUsages(rawValue: 1 << 5)
    public static let crlSign = KeyUsages(rawValue: 1 << 6)

    /// The positions of the bits that are set.
    var bits: [Int] { (0..<9).filter { rawValue & (1 << UInt16($0)) != 0 } }
}

/// A purpose in a certificate's extended key usage.
public enum ExtendedUsage: Hashable, Sendable {
    case serverAuth
    case clientAuth
    case codeSigning
    case emailProtection
    case ocspSigning
    /// `anyExtendedKeyUsage`.
    case any
    /// Any other, as a dotted object identifier.
    case other(String)

    var objectIdentifier: String {
        switch self {
        case .serverAuth: "1.3.6.1.5.5.7.3.1"
        case .clientAuth: "1.3.6.1.5.5.7.3.2"
        case .codeSigning: "1.3.6.1.5.5.7.3.3"
        case .emailProtection: "1.3.6.1.5.5.7.3.4"
        case .ocspSigning: "1.3.6.1.5.5.7.3.9"
        case .any: "2.5.29.37.0"
        case .other(let oid): oid
        }
    }
}

/// Name constraints for a CA certificate (RFC 5280, 4.2.1.10).
public struct NameConstraintSet: Hashable, Sendable {
    /// DNS names that are allowed with all below them. A leading dot is written as given.
    public var permittedDNSNames: [String] = []
    /// DNS names that are forbidden with all below them.
    public var excludedDNSNames: [String] = []
    /// Address and mask, 8 or 32 bytes, that are allowed.
    public var permittedIPRanges: [[UInt8]] = []
    /// Address and mask that are forbidden.
    public var excludedIPRanges: [[UInt8]] = []
    /// Distinguished names (DER of a Name) that are allowed with all below them.
    public var permittedDirectoryNames: [[UInt8]] = []
    /// Distinguished names that are forbidden.
    public var excludedDirectoryNames: [[UInt8]] = []

    public init(
        permittedDNSNames: [String] = [], excludedDNSNames: [String] = [], permittedIPRanges: [[UInt8]] = [],
        excludedIPRanges: [[UInt8]] = [], permittedDirectoryNames: [[UInt8]] = [],
        excludedDirectoryNames: [[UInt8]] = []
    ) {
        self.permittedDNSNames = permittedDNSNames
        self.excludedDNSNames = excludedDNSNames
        self.permittedIPRanges = permittedIPRanges
        self.excludedIPRanges = excludedIPRanges
        self.permittedDirectoryNames = permittedDirectoryNames
        self.excludedDirectoryNames = excludedDirectoryNames
    }

    var der: [UInt8] {
        let permitted = Self.subtrees(permittedDNSNames, permittedIPRanges, permittedDirectoryNames)
        let excluded = Self.subtrees(excludedDNSNames, excludedIPRanges, excludedDirectoryNames)
        return DERBytes.sequence([
            permitted.isEmpty ? [] : DERBytes.context(0, constructed: true, permitted),
            excluded.isEmpty ? [] : DERBytes.context(1, constructed: true, excluded),
        ])
    }

    private static func subtrees(_ names: [String], _ ranges: [[UInt8]], _ directories: [[UInt8]]) -> [UInt8] {
        let bases =
            names.map { DERBytes.context(2, constructed: false, Array($0.utf8)) }
            + ranges.map { DERBytes.context(7, constructed: false, $0) }
            + directories.map { DERBytes.context(4, constructed: true, $0) }
        return Array(bases.map { DERBytes.sequence([$0]) }.joined())
    }
}
