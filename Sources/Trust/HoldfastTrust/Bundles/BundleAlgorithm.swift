/// How a bundle is signed.
public enum BundleAlgorithm: String, Hashable, Sendable, CaseIterable {
    /// RFC 8032.
    case ed25519
    /// ECDSA over P-256 with SHA-256, the signature as r and s of 32 bytes each (RFC 7518, 3.4).
    case es256
}
