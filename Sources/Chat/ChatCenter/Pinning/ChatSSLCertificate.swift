#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import HoldfastTrust

/// A certificate whose key ``SSLPinningConfig`` trusts.
public struct ChatSSLCertificate: Hashable, Sendable {
    /// What the certificate was read from, for logs and errors: the file's path.
    public let source: String
    /// Why the certificate could not be read; `nil` for a usable one.
    ///
    /// An unreadable certificate stays in the list and matches no server.
    public let loadError: CertificateError?

    package let view: CertificateView?

    /// The SHA-256 of the certificate's SubjectPublicKeyInfo, as openssl prints it; `nil` for an unreadable one.
    public var spkiDigest: SPKIDigest? { view?.spkiDigest }

    /// Reads a DER file, whatever its extension. Never throws: what went wrong is in ``loadError``, and in the SDK's log.
    ///
    /// PEM is refused with `CertificateError.Code.pemGiven`; its reason holds the command that converts the file. Use
    /// ``init(loading:)`` to read both forms and to have errors thrown.
    public init(contentsOf url: URL) {
        self.source = CertificateFile.name(of: url)
        do throws(CertificateError) {
            self.view = try CertificateLoading.certificate(inDERFileAtPath: try CertificateFile.path(of: url))
            self.loadError = nil
        } catch {
            self.view = nil
            self.loadError = error
        }
    }

    /// Reads a DER or PEM file that holds one certificate. Throws `CertificateError` for anything else.
    public init(loading url: URL) throws(CertificateError) {
        self.source = CertificateFile.name(of: url)
        self.view = try CertificateLoading.certificate(atPath: try CertificateFile.path(of: url))
        self.loadError = nil
    }

    /// Takes DER bytes. Throws `CertificateError` if they are no certificate.
    public init(der: [UInt8]) throws(CertificateError) {
        let view = try CertificateView(der: der)
        self.source = view.spkiDigest.description
        self.view = view
        self.loadError = nil
    }
}
