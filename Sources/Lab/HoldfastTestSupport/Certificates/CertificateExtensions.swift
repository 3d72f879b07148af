/// An extension with arbitrary contents.
public struct ExtraExtension: Hashable, Sendable {
    /// The dotted object identifier.
    public var objectIdentifier: String
    /// Whether a verifier that does not support the extension must refuse the certificate.
    public var isCritical: Bool
    /// The contents of the extension's OCTET STRING.
    public var value: [UInt8]

    /// Creates an extension. The default value is a DER NULL.
    public init(_ objectIdentifier: String, isCritical: Bool = false, value: [UInt8] = [0x05, 0x00]) {
        self.objectIdentifier = objectIdentifier
        self.isCritical = isCritical
        self.value = value
    }
}

extension ExtraExtension {
    /// Returns an extension with the addresses of OCSP responders (RFC 5280, section 4.2.2.1).
    public static func ocspResponders(_ urls: String...) -> ExtraExtension {
        let descriptions = urls.map { url in
            DERBytes.sequence([
                DERBytes.objectIdentifier("1.3.6.1.5.5.7.48.1"),
                DERBytes.context(6, constructed: false, Array(url.utf8)),
            ])
        }
        return ExtraExtension("1.3.6.1.5.5.7.1.1", value: DERBytes.sequence(descriptions))
    }

    /// Returns an extension with distribution points of revocation lists (RFC 5280, section 4.2.1.13), one for each
    /// URL.
    ///
    /// - Parameters:
    ///   - urls: The addresses of the lists.
    ///   - reasonFlags: The numbers of the reason flags that the points cover; `nil` for all.
    ///   - issuer: The issuer of the lists, if it is not the issuer of the certificate.
    public static func distributionPoints(
        _ urls: String..., reasonFlags: [Int]? = nil, issuer: Identity? = nil
    ) -> ExtraExtension {
        let points = urls.map { url in
            DERBytes.sequence([
                DERBytes.context(0, constructed: true, fullName([url])),
                reasonFlags.map { DERBytes.context(1, constructed: false, bits($0)) } ?? [],
                issuer.map {
                    DERBytes.context(2, constructed: true, DERBytes.context(4, constructed: true, $0.subject))
                } ?? [],
            ])
        }
        return ExtraExtension("2.5.29.31", value: DERBytes.sequence(points))
    }

    /// Returns the `fullName` of a distribution point with URLs.
    static func fullName(_ urls: [String]) -> [UInt8] {
        let names = urls.map { DERBytes.context(6, constructed: false, Array($0.utf8)) }
        return DERBytes.context(0, constructed: true, Array(names.joined()))
    }

    /// Returns the content of a bit string with these bits.
    static func bits(_ numbers: [Int]) -> [UInt8] { Array(DERBytes.namedBits(numbers).dropFirst(2)) }

    /// The TLS feature extension that requires a stapled OCSP response (RFC 7633).
    public static let mustStaple = ExtraExtension(
        "1.3.6.1.5.5.7.1.24", value: DERBytes.sequence([DERBytes.unsignedInteger([5])]))
}

/// The extensions that ``CertificateFactory`` writes by default.
public enum StandardExtension: String, Hashable, Sendable, CaseIterable {
    case basicConstraints
    case keyUsage
    case extendedKeyUsage
    case subjectAlternativeName
    case nameConstraints
    case subjectKeyIdentifier
    case authorityKeyIdentifier

    var objectIdentifier: String {
        switch self {
        case .basicConstraints: "2.5.29.19"
        case .keyUsage: "2.5.29.15"
        case .extendedKeyUsage: "2.5.29.37"
        case .subjectAlternativeName: "2.5.29.17"
        case .nameConstraints: "2.5.29.30"
        case .subjectKeyIdentifier: "2.5.29.14"
        case .authorityKeyIdentifier: "2.5.29.35"
        }
    }
}

/// The bits of a certificate's key usage (RFC 5280, section 4.2.1.3).
public struct KeyUsages: OptionSet, Hashable, Sendable {
    /// The bits, bit 0 of the key usage first.
    public let rawValue: UInt16
    /// Creates a set from its bits.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// `digitalSignature`, bit 0.
    public static let digitalSignature = KeyUsages(rawValue: 1 << 0)
    /// `nonRepudiation`, bit 1.
    public static let nonRepudiation = KeyUsages(rawValue: 1 << 1)
    /// `keyEncipherment`, bit 2.
    public static let keyEncipherment = KeyUsages(rawValue: 1 << 2)
    /// `dataEncipherment`, bit 3.
    public static let dataEncipherment = KeyUsages(rawValue: 1 << 3)
    /// `keyAgreement`, bit 4.
    public static let keyAgreement = KeyUsages(rawValue: 1 << 4)
    /// `keyCertSign`, bit 5.
    public static let keyCertSign = KeyUsages(rawValue: 1 << 5)
    /// `cRLSign`, bit 6.
    public static let crlSign = KeyUsages(rawValue: 1 << 6)

    /// The positions of the set bits.
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
    /// Any other purpose, as a dotted object identifier.
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

/// Name constraints for a CA certificate (RFC 5280, section 4.2.1.10).
public struct NameConstraintSet: Hashable, Sendable {
    /// Permitted DNS names, with all names below them. A leading dot is encoded as given.
    public var permittedDNSNames: [String] = []
    /// Excluded DNS names, with all names below them.
    public var excludedDNSNames: [String] = []
    /// Permitted address ranges: address and mask, 8 or 32 bytes.
    public var permittedIPRanges: [[UInt8]] = []
    /// Excluded address ranges: address and mask, 8 or 32 bytes.
    public var excludedIPRanges: [[UInt8]] = []
    /// Permitted distinguished names (DER of a Name), with all names below them.
    public var permittedDirectoryNames: [[UInt8]] = []
    /// Excluded distinguished names (DER of a Name).
    public var excludedDirectoryNames: [[UInt8]] = []

    /// Creates name constraints.
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

    /// The DER bytes of the extension's value.
    package var encoded: [UInt8] { der }

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
