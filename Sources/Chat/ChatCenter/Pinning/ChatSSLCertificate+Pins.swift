#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import HoldfastTrust

extension ChatSSLCertificate {
    /// Returns the pin of the certificate's key. Throws the error that occurred when the certificate was read.
    public func pin() throws(CertificateError) -> SPKIDigest { try readable().spkiDigest }

    /// Returns the certificate in DER, for interfaces that take `Data`. Throws the error that occurred when it was
    /// read.
    public func derData() throws(CertificateError) -> Data { Data(try readable().der) }

    private func readable() throws(CertificateError) -> CertificateView {
        guard let view else {
            throw loadError ?? CertificateError(.notACertificate, "The certificate \(source) could not be read.")
        }
        return view
    }
}

extension PinSet {
    /// Pins the keys of certificates. Throws `CertificateError` if one of them could not be read.
    public init(keysOf certificates: [ChatSSLCertificate]) throws(CertificateError) {
        self.init(keys: try certificates.map { certificate throws(CertificateError) in try certificate.pin() })
    }
}

extension PublicKeyPinningEvaluator {
    /// Pins the keys of certificates. Throws `CertificateError` if one of them could not be read.
    public init(keysOf certificates: [ChatSSLCertificate]) throws(CertificateError) {
        self.init(keys: try certificates.map { certificate throws(CertificateError) in try certificate.pin() })
    }
}

extension CertificatePinningEvaluator {
    /// Pins whole certificates. Throws `CertificateError` if one of them could not be read.
    public init(pinning certificates: [ChatSSLCertificate]) throws(CertificateError) {
        let pinned = try certificates.map { certificate throws(CertificateError) in try certificate.derData() }
        self.init(pinnedCertificates: Set(pinned))
    }
}
