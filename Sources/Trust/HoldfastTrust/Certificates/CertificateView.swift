import HoldfastBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An X.509 certificate as it lies in its DER bytes.
///
/// The view is Holdfast's own and asks for little: whatever has the outer form of a certificate can be listed, hashed
/// and matched against pins, keys of unknown types included. What is wrong with it beyond that is kept in
/// ``defects`` and counts when a path is verified.
public struct CertificateView: Hashable, Sendable {
    /// What was read. A reference, so that chains and paths share it.
    let parsed: ParsedCertificate

    /// Reads a DER certificate.
    ///
    /// Throws ``CertificateError`` if the bytes are PEM, are no DER, go on after the certificate, or do not have the
    /// outer form of an X.509 certificate.
    public init(der: [UInt8]) throws(CertificateError) {
        self.parsed = try ParsedCertificate(der: der)
    }

    /// The certificate's bytes.
    public var der: [UInt8] { parsed.der }

    /// The SHA-256 of its SubjectPublicKeyInfo, over the bytes as they lie in the certificate.
    public var spkiDigest: SPKIDigest { parsed.spkiDigest }

    /// The SubjectPublicKeyInfo.
    public var subjectPublicKeyInfo: ArraySlice<UInt8> { parsed.der[parsed.outline.spki] }

    /// The key alone: PKCS#1 for RSA, the X9.63 point for elliptic curves, 32 bytes for Ed25519.
    public var rawKey: ArraySlice<UInt8> { parsed.der[parsed.outline.keyBits] }

    /// The SHA-256 of ``rawKey``.
    public var rawKeyDigest: RawKeyDigest { parsed.rawKeyDigest }

    /// The SHA-256 of the whole certificate.
    public var certificateDigest: CertificateDigest { parsed.certificateDigest }

    /// The kind and size of the key, as in `RSA 2048`, `EC P-256`; the algorithm's object identifier where unknown.
    public var keyDescription: String { parsed.keyAlgorithm.description }

    /// The subject as text, as in `CN=example.com, O=Example`. Control characters are escaped.
    public var subject: String { DistinguishedName.text(of: parsed.outline.subject, in: der) }

    /// The issuer as text.
    public var issuer: String { DistinguishedName.text(of: parsed.outline.issuer, in: der) }

    /// The DNS names and IP addresses that the certificate is for, in the order in which they appear. No common names.
    public var names: [String] {
        parsed.extensions.subjectAlternativeNames.compactMap { $0.displayName(in: der) }
    }

    /// The serial number in hexadecimal digits.
    public var serialNumber: String { der[parsed.outline.serial].hexadecimal }

    /// Start of the validity; `nil` if it is malformed.
    public var notBefore: Timestamp? { parsed.outline.notBefore }

    /// End of the validity, inclusive (RFC 5280, 4.1.2.5); `nil` if it is malformed.
    public var notAfter: Timestamp? { parsed.outline.notAfter }

    /// Whether the basic constraints say that this is a certificate authority.
    public var isCertificateAuthority: Bool { parsed.extensions.basicConstraints?.isAuthority == true }

    /// Whether subject and issuer are the same name.
    public var isSelfIssued: Bool { parsed.isSelfIssued }

    /// Rules of form that the certificate breaks, and limits on what is read that it exceeds; empty for a well-formed one.
    public var defects: [String] { parsed.outline.defects + (parsed.extensions.exceeded.map { [$0.reason] } ?? []) }

    public static func == (lhs: CertificateView, rhs: CertificateView) -> Bool {
        lhs.parsed === rhs.parsed || lhs.parsed.certificateDigest == rhs.parsed.certificateDigest
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(parsed.certificateDigest)
    }
}

extension CertificateView {
    /// The certificate as a PEM block, lines of 64 columns.
    public var pem: String { CertificateView.pem(der) }

    /// Any bytes as the PEM block of a certificate.
    static func pem(_ der: [UInt8]) -> String {
        let base64 = Array(Data(der).base64EncodedString().utf8)
        let lines = stride(from: 0, to: base64.count, by: 64).map {
            String(decoding: base64[$0..<min($0 + 64, base64.count)], as: UTF8.self)
        }
        return (["-----BEGIN CERTIFICATE-----"] + lines + ["-----END CERTIFICATE-----"]).joined(separator: "\n") + "\n"
    }
}
