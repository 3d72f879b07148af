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
