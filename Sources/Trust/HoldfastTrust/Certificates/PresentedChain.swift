/// The unverified certificates that a peer sent.
///
/// Pins are never compared with this type; see ``VerifiedPath``.
public struct PresentedChain: Hashable, Sendable {
    /// The certificates that could be parsed, in the order in which they were sent.
    public let certificates: [CertificateView]
    /// The certificates that could not be parsed.
    public let unreadable: [UnreadableCertificate]
    /// The number of certificates that were sent, including unreadable ones.
    public let count: Int
    /// The number of DER bytes that were sent.
    public let byteCount: Int
    /// Whether the server's own certificate, the first one sent, could be parsed.
    public let leafIsReadable: Bool
    /// The digest of the chain, for caches.
    let digest: ChainDigest

    /// Parses the certificates that a peer sent, its own certificate first. Never fails: unreadable certificates are
    /// kept in ``unreadable``.
    public init(der: [[UInt8]]) {
        var certificates: [CertificateView] = []
        var unreadable: [UnreadableCertificate] = []
        // Certificates beyond this number are not parsed, because evaluation refuses the chain for their number.
        for (index, bytes) in der.prefix(VerificationBudget.parsedCertificates).enumerated() {
            do throws(CertificateError) {
                certificates.append(try CertificateView(der: bytes))
            } catch {
                unreadable.append(UnreadableCertificate(index: index, der: bytes, error: error))
            }
        }
        self.certificates = certificates
        self.unreadable = unreadable
        self.count = der.count
        self.byteCount = der.reduce(0) { $0 + $1.count }
        self.leafIsReadable = !der.isEmpty && unreadable.first?.index != 0
        self.digest = ChainDigest(der)
    }

    /// Creates a chain from parsed certificates.
    public init(_ certificates: [CertificateView]) {
        self.certificates = certificates
        self.unreadable = []
        self.count = certificates.count
        self.byteCount = certificates.reduce(0) { $0 + $1.der.count }
        self.leafIsReadable = !certificates.isEmpty
        self.digest = ChainDigest(certificates.map(\.der))
    }

    /// The server's own certificate, or `nil` if it could not be parsed.
    public var leaf: CertificateView? { leafIsReadable ? certificates.first : nil }

    /// The DER bytes of the readable certificates.
    public var der: [[UInt8]] { certificates.map(\.der) }

    /// The bytes of all certificates that were parsed, including unreadable ones, in the order in which they were sent.
    var served: [[UInt8]] {
        var all = der
        for certificate in unreadable { all.insert(certificate.der, at: min(certificate.index, all.count)) }
        return all
    }
}

/// A certificate that the server presented and that could not be parsed.
public struct UnreadableCertificate: Hashable, Sendable {
    /// The index of the certificate in the presented chain.
    public var index: Int
    /// The bytes of the certificate.
    public var der: [UInt8]
    /// The reason why the certificate could not be parsed.
    public var error: CertificateError

    /// Creates an unreadable certificate.
    public init(index: Int, der: [UInt8], error: CertificateError) {
        self.index = index
        self.der = der
        self.error = error
    }
}
