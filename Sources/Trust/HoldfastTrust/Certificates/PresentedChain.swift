/// What a peer sent: certificates that nobody has verified.
///
/// Pins are never compared with this type; see ``VerifiedPath``.
public struct PresentedChain: Hashable, Sendable {
    /// The certificates that could be parsed, in the order in which they were sent.
    public let certificates: [CertificateView]
    /// Those that could not.
    public let unreadable: [UnreadableCertificate]
    /// The number of certificates sent, readable or not.
    public let count: Int
    /// The number of DER bytes sent.
    public let byteCount: Int
    /// Whether the server's own certificate, the first one sent, could be parsed.
    public let leafIsReadable: Bool
    /// Names the chain, for caches.
    let digest: ChainDigest

    /// Reads what a peer sent, its own certificate first. Never fails: what cannot be parsed is kept as such.
    public init(der: [[UInt8]]) {
        var certificates: [CertificateView] = []
        var unreadable: [UnreadableCertificate] = []
        // Beyond this many nothing is parsed: the evaluation refuses such a chain by its count alone.
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

    /// Wraps certificates that are parsed already.
    public init(_ certificates: [CertificateView]) {
        self.certificates = certificates
        self.unreadable = []
        self.count = certificates.count
        self.byteCount = certificates.reduce(0) { $0 + $1.der.count }
        self.leafIsReadable = !certificates.isEmpty
        self.digest = ChainDigest(certificates.map(\.der))
    }

    /// The server's own certificate, where it could be parsed.
    public var leaf: CertificateView? { leafIsReadable ? certificates.first : nil }

    /// The DER bytes of the readable certificates.
    public var der: [[UInt8]] { certificates.map(\.der) }

    /// The bytes of everything that was looked at, readable or not, in the order in which it was sent.
    var served: [[UInt8]] {
        var all = der
        for certificate in unreadable { all.insert(certificate.der, at: min(certificate.index, all.count)) }
        return all
    }
}

/// A certificate that the server presented and that could not be parsed.
public struct UnreadableCertificate: Hashable, Sendable {
    /// Its place in what the server presented.
    public var index: Int
    /// The bytes.
    public var der: [UInt8]
    /// Why it could not be parsed.
    public var error: CertificateError

    /// Names an unreadable certificate.
    public init(index: Int, der: [UInt8], error: CertificateError) {
        self.index = index
        self.der = der
        self.error = error
    }
}
