import Synchronization

/// Remembers valid signatures on the certificates of authorities, so that a known intermediate costs no signature
/// check.
///
/// A signature that was valid once stays valid: it depends only on the issuer's key and the signed bytes. Everything
/// else about a certificate (dates, constraints, revocation) is checked in each evaluation. Only links of accepted
/// paths are remembered, so that an attacker's certificates cannot displace them. The server's own certificate is not
/// remembered, because there may be thousands.
final class KnownLinks: Sendable {
    /// The maximum number of links. An app has a few hosts, whose paths have one or two links between authorities. The
    /// oldest link is removed first, and its signature is then checked again.
    static let capacity = 64

    private let links = Mutex(ArrivalCache<ChainDigest, Void>(capacity: KnownLinks.capacity))

    /// Returns whether the signature on `child` by the key of `issuer` is known to be valid.
    func contains(_ child: CertificateView, signedBy issuer: CertificateView) -> Bool {
        let link = KnownLinks.digest(child, issuer)
        return links.withLock { $0[link] != nil }
    }

    /// Stores the links between the authorities of an accepted path, except for the server's own certificate.
    func remember(_ path: VerifiedPath) {
        let authorities = path.certificates.dropFirst()
        for (child, issuer) in zip(authorities, authorities.dropFirst()) {
            let link = KnownLinks.digest(child, issuer)
            links.withLock { $0.put((), for: link) }
        }
    }

    private static func digest(_ child: CertificateView, _ issuer: CertificateView) -> ChainDigest {
        ChainDigest([Array(issuer.subjectPublicKeyInfo), child.der])
    }
}
