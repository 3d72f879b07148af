/// An X.509 certificate as it lies in its DER bytes.
public struct CertificateView: Hashable, Sendable {
    /// The certificate's bytes.
    public let der: [UInt8]
    /// The SHA-256 of its SubjectPublicKeyInfo.
    public let spkiDigest: SPKIDigest

    /// Reads a DER certificate. Throws ``CertificateError`` for anything else, PEM included.
    public init(der: [UInt8]) throws(CertificateError) {
        // STUB
        self.der = der
        self.spkiDigest = SPKIDigest(hashing: der)
    }
}
