public import HoldfastTrust
import SwiftASN1

/// A certificate with its private key and its issuers.
public struct Identity: Sendable {
    /// The parsed certificate.
    public let view: CertificateView
    /// The DER bytes of the certificate.
    public let certificateDER: [UInt8]
    /// The private key as PKCS #8 PEM.
    public let privateKeyPEM: String
    /// The key.
    public let key: Key
    /// The certificates that a server sends: this certificate, then its issuers without the root, as DER.
    public let chain: [[UInt8]]
    /// The self-signed root certificate; `nil` if this certificate is self-signed.
    public let rootDER: [UInt8]?
    /// The DER bytes of the subject's Name, for certificates that this identity issues.
    package let subject: [UInt8]
    /// The subject key identifier, for certificates that this identity issues.
    package let subjectKeyIdentifier: [UInt8]

    init(
        view: CertificateView, key: Key, issuer: Identity?, subject: [UInt8], subjectKeyIdentifier: [UInt8]
    ) {
        self.view = view
        self.certificateDER = view.der
        self.privateKeyPEM = key.privateKeyPEM
        self.key = key
        // A root has no `rootDER`, so that the chain ends before it.
        self.chain = [view.der] + (issuer.flatMap { $0.rootDER == nil ? nil : $0.chain } ?? [])
        self.rootDER = issuer.map { $0.rootDER ?? $0.certificateDER }
        self.subject = subject
        self.subjectKeyIdentifier = subjectKeyIdentifier
    }

    /// The content bytes of the encoded serial number.
    package var serial: [UInt8] {
        // The serial number is parsed from the certificate, so that it matches what was minted.
        let digits = Array(view.serialNumber.utf8)
        return stride(from: 0, to: digits.count - 1, by: 2).compactMap {
            UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16)
        }
    }

    /// The certificate as PEM.
    public var certificatePEM: String { Self.pem(certificateDER) }

    /// The certificates of ``chain`` as one PEM text.
    public var chainPEM: String { chain.map(Self.pem).joined(separator: "\n") }

    /// The pin of this certificate's key.
    public var spkiDigest: SPKIDigest { key.spkiDigest }

    private static func pem(_ der: [UInt8]) -> String {
        PEMDocument(type: "CERTIFICATE", derBytes: der).pemString
    }
}
