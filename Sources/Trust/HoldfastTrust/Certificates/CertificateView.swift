import HoldfastBase

/// An X.509 certificate, read from its DER bytes.
///
/// The parser requires little: any input with the outer form of a certificate can be listed, hashed and matched against
/// pins, including keys of unknown types. Other problems are stored in ``defects`` and taken into account when a path
/// is verified.
public struct CertificateView: Hashable, Sendable {
    /// The parsed contents. A reference, so that chains and paths share it.
    let parsed: ParsedCertificate

    /// Parses a DER certificate.
    ///
    /// - Throws: ``CertificateError`` if the bytes are PEM, are not valid DER, continue after the certificate, or do
    ///   not have the outer form of an X.509 certificate.
    public init(der: [UInt8]) throws(CertificateError) {
        self.parsed = try ParsedCertificate(der: der)
    }

    /// The DER bytes of the certificate.
    public var der: [UInt8] { parsed.der }

    /// The SHA-256 hash of the SubjectPublicKeyInfo, computed over its bytes in the certificate.
    public var spkiDigest: SPKIDigest { parsed.spkiDigest }

    /// The SubjectPublicKeyInfo.
    public var subjectPublicKeyInfo: ArraySlice<UInt8> { parsed.der[parsed.outline.spki] }

    /// The bare key: PKCS#1 for RSA, the X9.63 point for elliptic curves, 32 bytes for Ed25519.
    public var rawKey: ArraySlice<UInt8> { parsed.der[parsed.outline.keyBits] }

    /// The SHA-256 hash of ``rawKey``.
    public var rawKeyDigest: RawKeyDigest { parsed.rawKeyDigest }

    /// The SHA-256 hash of the whole certificate.
    public var certificateDigest: CertificateDigest { parsed.certificateDigest }

    /// The kind and size of the key, such as `RSA 2048` or `EC P-256`; the algorithm's object identifier if it is
    /// unknown.
    public var keyDescription: String { parsed.keyAlgorithm.description }

    /// The subject as text, such as `CN=example.com, O=Example`. Control characters are escaped.
    public var subject: String { DistinguishedName.text(of: parsed.outline.subject, in: der) }

    /// The issuer as text.
    public var issuer: String { DistinguishedName.text(of: parsed.outline.issuer, in: der) }

    /// The DNS names and IP addresses in the certificate, in order. Common names are not included.
    public var names: [String] {
        parsed.extensions.subjectAlternativeNames.compactMap { $0.displayName(in: der) }
    }

    /// The serial number in hexadecimal digits.
    public var serialNumber: String { der[parsed.outline.serial].hexadecimal }

    /// The start of the validity period, or `nil` if it is malformed.
    public var notBefore: Timestamp? { parsed.outline.notBefore }

    /// The end of the validity period, inclusive (RFC 5280, 4.1.2.5), or `nil` if it is malformed.
    public var notAfter: Timestamp? { parsed.outline.notAfter }

    /// Whether the basic constraints identify the certificate as a certificate authority.
    public var isCertificateAuthority: Bool { parsed.extensions.basicConstraints?.isAuthority == true }

    /// Whether subject and issuer are the same name.
    public var isSelfIssued: Bool { parsed.isSelfIssued }

    /// Violations of the certificate format, and size limits that the certificate exceeds. Empty for a well-formed
    /// certificate.
    public var defects: [String] { parsed.outline.defects + (parsed.extensions.exceeded.map { [$0.reason] } ?? []) }

    /// Returns whether two values are equal.
    public static func == (lhs: CertificateView, rhs: CertificateView) -> Bool {
        lhs.parsed === rhs.parsed || lhs.parsed.certificateDigest == rhs.parsed.certificateDigest
    }

    /// Hashes the value.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(parsed.certificateDigest)
    }

    /// The certificate as a PEM block with lines of 64 columns.
    public var pem: String { PEMBlock.text("CERTIFICATE", der) }
}
