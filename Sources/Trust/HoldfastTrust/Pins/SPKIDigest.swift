#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The SHA-256 of a SubjectPublicKeyInfo, over its bytes exactly as they lie in the certificate (RFC 7469, 2.4).
///
/// What `openssl x509 -pubkey -noout | openssl pkey -pubin -outform DER | openssl dgst -sha256 -binary | base64` prints.
public struct SPKIDigest: Hashable, Sendable, CustomStringConvertible {
    package let sha256: SHA256Hash

    /// Hashes the DER bytes of a SubjectPublicKeyInfo.
    public init(hashing spki: some Sequence<UInt8>) { sha256 = SHA256Hash(hashing: spki) }

    /// Takes a hash; `nil` unless it has 32 bytes.
    public init?(bytes: some Sequence<UInt8>) {
        guard let sha256 = SHA256Hash(bytes: bytes) else { return nil }
        self.sha256 = sha256
    }

    init(_ sha256: SHA256Hash) { self.sha256 = sha256 }

    /// Reads 32 bytes of base64, with or without a leading `sha256/`; `nil` for anything else. In code use
    /// ``init(_:)``, whose error says what is wrong.
    public init?(base64 text: String) {
        let digits = text.hasPrefix("sha256/") ? String(text.dropFirst(7)) : text
        guard let sha256 = SHA256Hash(base64: digits) else { return nil }
        self.sha256 = sha256
    }

    /// The 32 bytes.
    public var bytes: [UInt8] { sha256.bytes }

    /// The 32 bytes, for interfaces that take `Data`.
    public var data: Data { Data(sha256.bytes) }

    /// The base64 form, without a prefix.
    public var base64: String { sha256.base64 }

    public var description: String { "sha256/" + base64 }
}
