/// The SHA-256 hash of a whole certificate: its fingerprint.
///
/// Equal to the output of `openssl x509 -outform DER | openssl dgst -sha256 -binary | base64`. The hash changes with
/// each renewal of a certificate; a pin of a key (``SPKIDigest``) lasts longer.
public struct CertificateDigest: Hashable, Sendable, CustomStringConvertible {
    package let sha256: SHA256Hash

    /// Computes the hash of a certificate in DER.
    public init(hashing certificate: some Sequence<UInt8>) { sha256 = SHA256Hash(hashing: certificate) }

    /// Creates a digest from 32 bytes. Returns `nil` for any other count.
    public init?(bytes: some Sequence<UInt8>) {
        guard let sha256 = SHA256Hash(bytes: bytes) else { return nil }
        self.sha256 = sha256
    }

    /// The 32 bytes.
    public var bytes: [UInt8] { sha256.bytes }

    /// The hash in base64, without a prefix.
    public var base64: String { sha256.base64 }

    /// A textual representation of the value.
    public var description: String { "certificate-sha256/" + base64 }
}

/// The SHA-256 hash of a public key without its algorithm: of PKCS#1 for RSA, of the X9.63 point for elliptic curves.
///
/// GentleNetworking pins keys by this hash. `openssl` and other libraries print the hash of the SubjectPublicKeyInfo, a
/// ``SPKIDigest``.
public struct RawKeyDigest: Hashable, Sendable, CustomStringConvertible {
    package let sha256: SHA256Hash

    /// Computes the hash of a bare key, as in ``CertificateView/rawKey``.
    public init(hashing key: some Sequence<UInt8>) { sha256 = SHA256Hash(hashing: key) }

    /// Creates a digest from 32 bytes. Returns `nil` for any other count.
    public init?(bytes: some Sequence<UInt8>) {
        guard let sha256 = SHA256Hash(bytes: bytes) else { return nil }
        self.sha256 = sha256
    }

    /// The 32 bytes.
    public var bytes: [UInt8] { sha256.bytes }

    /// The hash in base64, without a prefix.
    public var base64: String { sha256.base64 }

    /// A textual representation of the value.
    public var description: String { "raw-key-sha256/" + base64 }
}
