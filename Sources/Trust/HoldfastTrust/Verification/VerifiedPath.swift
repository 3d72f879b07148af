/// A path from the server's certificate to a trust anchor whose every link was verified.
///
/// Only the verifier makes one. Pins are compared with this type alone, so that a pinned certificate that an attacker
/// adds to the chain has no effect.
public struct VerifiedPath: Hashable, Sendable {
    /// The server's certificate first, the trust anchor last. One element where the server's own key is what is trusted.
    public let certificates: [CertificateView]

    init(verified certificates: [CertificateView]) {
        self.certificates = certificates
    }

    /// The SPKI hashes along the path, the server's first.
    public var hashes: [SPKIDigest] { certificates.map(\.spkiDigest) }
}
