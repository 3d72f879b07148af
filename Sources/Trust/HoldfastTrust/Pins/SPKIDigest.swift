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
