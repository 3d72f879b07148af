import Crypto

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The SHA-256 of a SubjectPublicKeyInfo, over its bytes exactly as they lie in the certificate (RFC 7469, 2.4).
///
/// What `openssl x509 -pubkey -noout | openssl pkey -pubin -outform DER | openssl dgst -sha256 -binary | base64` prints.
public struct SPKIDigest: Hashable, Sendable, CustomStringConvertible {
    /// The 32 bytes.
    public let bytes: [UInt8]

    /// Hashes the DER bytes of a SubjectPublicKeyInfo.
    public init(hashing spki: some Sequence<UInt8>) {
        self.init(hashing: Array(spki)[...])
    }

    /// The same without a copy.
    init(hashing bytes: ArraySlice<UInt8>) {
        self.bytes = SHA256.hash(data: bytes).withUnsafeBytes { Array($0) }
    }

    /// Takes a hash; `nil` unless it has 32 bytes.
    public init?(bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        guard bytes.count == SHA256.byteCount else { return nil }
        self.bytes = bytes
    }

    /// Reads 32 bytes of base64, with or without a leading `sha256/`; `nil` for anything else. In code use
    /// ``init(_:)``, whose error says what is wrong.
    public init?(base64 text: String) {
        let text = text.hasPrefix("sha256/") ? String(text.dropFirst(7)) : text
        guard let data = Data(base64Encoded: text) else { return nil }
        self.init(bytes: data)
    }

    /// All 32 bytes at once: a search may look thousands of digests up.
    public func hash(into hasher: inout Hasher) {
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    }

    /// The 32 bytes, for interfaces that take `Data`.
    public var data: Data { Data(bytes) }

    /// The base64 form, without a prefix.
    public var base64: String { Data(bytes).base64EncodedString() }

    public var description: String { "sha256/" + base64 }
}
