import Crypto

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The SHA-256 hash of a SubjectPublicKeyInfo, computed over its bytes in the certificate (RFC 7469, 2.4).
///
/// Equal to the output of `openssl x509 -pubkey -noout | openssl pkey -pubin -outform DER | openssl dgst -sha256
/// -binary | base64`.
public struct SPKIDigest: Hashable, Sendable, CustomStringConvertible {
    package let sha256: SHA256Hash

    /// Computes the hash of a SubjectPublicKeyInfo in DER.
    public init(hashing spki: some Sequence<UInt8>) { sha256 = SHA256Hash(hashing: spki) }

    /// Creates a digest from 32 bytes. Returns `nil` for any other count.
    public init?(bytes: some Sequence<UInt8>) {
        guard let sha256 = SHA256Hash(bytes: bytes) else { return nil }
        self.sha256 = sha256
    }

    init(_ sha256: SHA256Hash) { self.sha256 = sha256 }

    /// Reads 32 bytes in base64, with or without the prefix `sha256/`. Returns `nil` for any other text. In code, use
    /// ``init(_:)``, whose error contains the reason.
    public init?(base64 text: String) {
        let digits = text.hasPrefix("sha256/") ? String(text.dropFirst(7)) : text
        guard let sha256 = SHA256Hash(base64: digits) else { return nil }
        self.sha256 = sha256
    }

    /// The 32 bytes.
    public var bytes: [UInt8] { sha256.bytes }

    /// The 32 bytes as `Data`.
    public var data: Data { Data(sha256.bytes) }

    /// The hash in base64, without a prefix.
    public var base64: String { sha256.base64 }

    /// A textual representation of the value.
    public var description: String { "sha256/" + base64 }
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

/// The 32 bytes of a SHA-256 hash of any input. The hashes that policies compare have their own types: ``SPKIDigest``,
/// ``RawKeyDigest`` and ``CertificateDigest``.
package struct SHA256Hash: Hashable, Sendable {
    /// The 32 bytes.
    package let bytes: [UInt8]

    /// Computes the hash of bytes. Copies them only if they are not contiguous.
    package init(hashing bytes: some Sequence<UInt8>) {
        let hash =
            bytes.withContiguousStorageIfAvailable { SHA256.hash(data: $0) } ?? SHA256.hash(data: Array(bytes))
        self.bytes = hash.withUnsafeBytes { Array($0) }
    }

    /// Creates a hash from 32 bytes. Returns `nil` for any other count.
    package init?(bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        guard bytes.count == SHA256.byteCount else { return nil }
        self.bytes = bytes
    }

    /// Reads 32 bytes in base64. Returns `nil` for any other text.
    package init?(base64 text: String) {
        guard let bytes = [UInt8](base64: text) else { return nil }
        self.init(bytes: bytes)
    }

    /// Hashes all 32 bytes at once, because a search may look up thousands of hashes.
    package func hash(into hasher: inout Hasher) {
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    }

    /// The hash in base64, without a prefix.
    package var base64: String { bytes.base64 }
}
