/// One pinned identity: a hash, what it is the hash of, and where on the path it may match.
public struct Pin: Hashable, Sendable, CustomStringConvertible {
    /// What was hashed.
    public enum Domain: String, Hashable, Sendable, CaseIterable {
        /// The SubjectPublicKeyInfo, as everyone but GentleNetworking hashes it.
        case spki
        /// The key alone: PKCS#1 for RSA, the X9.63 point for elliptic curves.
        case rawKey
        /// The whole certificate.
        case certificate
    }

    /// Where on the verified path a pin may match.
    public enum Scope: String, Hashable, Sendable, CaseIterable {
        /// Anywhere.
        case any
        /// The server's own certificate alone.
        case leaf
        /// Any certificate above the server's own.
        case ca
    }

    /// The SHA-256.
    public let digest: SPKIDigest
    /// What it is the hash of.
    public let domain: Domain
    /// Where it may match.
    public let scope: Scope

    /// Makes a pin.
    public init(_ digest: SPKIDigest, domain: Domain = .spki, scope: Scope = .any) {
        self.digest = digest
        self.domain = domain
        self.scope = scope
    }

    public var description: String {
        switch domain {
        case .spki: digest.description
        case .rawKey: "raw-key-sha256/" + digest.base64
        case .certificate: "certificate-sha256/" + digest.base64
        }
    }
}
