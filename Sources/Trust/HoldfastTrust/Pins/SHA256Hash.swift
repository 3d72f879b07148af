import Crypto

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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
        guard let data = Data(base64Encoded: text) else { return nil }
        self.init(bytes: data)
    }

    /// Hashes all 32 bytes at once, because a search may look up thousands of hashes.
    package func hash(into hasher: inout Hasher) {
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    }

    /// The hash in base64, without a prefix.
    package var base64: String { Data(bytes).base64EncodedString() }
}
