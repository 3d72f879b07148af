/// The SHA-256 of a whole certificate: its fingerprint.
///
/// What `openssl x509 -outform DER | openssl dgst -sha256 -binary | base64` prints. Each renewal of a certificate changes it, so
/// a pin of a key (``SPKIDigest``) lasts longer.
public struct CertificateDigest: Hashable, Sendable, CustomStringConvertible {
    package let sha256: SHA256Hash

    /// Hashes the DER bytes of a certificate.
    public init(hashing certificate: some Sequence<UInt8>) { sha256 = SHA256Hash(hashing: certificate) }

    /// Takes a hash; `nil` unless it has 32 bytes.
    public init?(bytes: some Sequence<UInt8>) {
        guard let sha256 = SHA256Hash(bytes: bytes) else { return nil }
        self.sha256 = sha256
    }

    /// The 32 bytes.
    public var bytes: [UInt8] { sha256.bytes }

    /// The base64 form, without a prefix.
    public var base64: String { sha256.base64 }

    public var description: String { "certificate-sha256/" + base64 }
}

/// The SHA-256 of a public key without its algorithm: of PKCS#1 for RSA, of the X9.63 point for elliptic curves.
///
/// GentleNetworking pins keys by this hash. `openssl` and other libraries print the hash of the SubjectPublicKeyInfo, a
/// ``SPKIDigest``.
public struct RawKeyDigest: Hashable, Sendable, CustomStringConvertible {
    package let sha256: SHA256Hash

    /// Hashes the bytes of a key, as in ``CertificateView/rawKey``.
    public init(hashing key: some Sequence<UInt8>) { sha256 = SHA256Hash(hashing: key) }

    /// Takes a hash; `nil` unless it has 32 bytes.
    public init?(bytes: some Sequence<UInt8>) {
        guard let sha256 = SHA256Hash(bytes: bytes) else { return nil }
        self.sha256 = sha256
    }

    /// The 32 bytes.
    public var bytes: [UInt8] { sha256.bytes }

    /// The base64 form, without a prefix.
    public var base64: String { sha256.base64 }

    public var description: String { "raw-key-sha256/" + base64 }
}
