/// A pinned identity: a hash, the kind of input that was hashed, and the certificates of the path that it may match.
public struct Pin: Hashable, Sendable, CustomStringConvertible {
    /// The input of the hash.
    public enum Domain: String, Hashable, Sendable, CaseIterable {
        /// The SubjectPublicKeyInfo, as in all libraries except GentleNetworking.
        case spki
        /// The bare key: PKCS#1 for RSA, the X9.63 point for elliptic curves.
        case rawKey
        /// The whole certificate.
        case certificate
    }

    /// The certificates of the verified path that a pin may match.
    public enum Scope: String, Hashable, Sendable, CaseIterable {
        /// Any certificate of the path.
        case any
        /// Only the server's own certificate.
        case leaf
        /// Any certificate above the server's own.
        case ca
    }

    package let sha256: SHA256Hash
    /// The input of the hash.
    public let domain: Domain
    /// The certificates that the pin may match.
    public let scope: Scope

    /// Pins a key by its SubjectPublicKeyInfo, as all libraries except GentleNetworking do.
    public init(_ digest: SPKIDigest, scope: Scope = .any) {
        self.init(digest.sha256, domain: .spki, scope: scope)
    }

    /// Pins a key by its bare bytes.
    public init(_ digest: RawKeyDigest, scope: Scope = .any) {
        self.init(digest.sha256, domain: .rawKey, scope: scope)
    }

    /// Pins a whole certificate.
    public init(_ digest: CertificateDigest, scope: Scope = .any) {
        self.init(digest.sha256, domain: .certificate, scope: scope)
    }

    /// Creates a pin from a hash whose kind is data, as in a policy file.
    package init(_ sha256: SHA256Hash, domain: Domain, scope: Scope = .any) {
        self.sha256 = sha256
        self.domain = domain
        self.scope = scope
    }

    /// The hash of the SubjectPublicKeyInfo, or `nil` if the pin has another ``domain-swift.property``.
    public var spkiDigest: SPKIDigest? { domain == .spki ? SPKIDigest(sha256) : nil }

    /// The 32 bytes of the SHA-256 hash of the input that ``domain-swift.property`` names.
    public var bytes: [UInt8] { sha256.bytes }

    /// The SHA-256 hash in base64, without a prefix. ``domain-swift.property`` names its input.
    public var base64: String { sha256.base64 }

    /// A textual representation of the value.
    public var description: String {
        switch domain {
        case .spki: "sha256/" + base64
        case .rawKey: "raw-key-sha256/" + base64
        case .certificate: "certificate-sha256/" + base64
        }
    }
}
