import Crypto

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The 32 bytes of a SHA-256 hash, of whatever bytes. The hashes of keys and certificates that policies compare have types of
/// their own: ``SPKIDigest``, ``RawKeyDigest`` and ``CertificateDigest``.
package struct SHA256Hash: Hashable, Sendable {
    /// The 32 bytes.
    package let bytes: [UInt8]

    /// Hashes bytes. Copies them only if they do not lie in one piece of memory.
    package init(hashing bytes: some Sequence<UInt8>) {
        let hash =
            bytes.withContiguousStorageIfAvailable { SHA256.hash(data: $0) } ?? SHA256.hash(data: Array(bytes))
        self.bytes = hash.withUnsafeBytes { Array($0) }
    }

    /// Takes a hash; `nil` unless it has 32 bytes.
    package init?(bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        guard bytes.count == SHA256.byteCount else { return nil }
        self.bytes = bytes
    }

    /// Reads 32 bytes of base64; `nil` for anything else.
    package init?(base64 text: String) {
        guard let data = Data(base64Encoded: text) else { return nil }
        self.init(bytes: data)
    }

    /// All 32 bytes at once: a search may look thousands of hashes up.
    package func hash(into hasher: inout Hasher) {
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    }

    /// The base64 form, without a prefix.
    package var base64: String { Data(bytes).base64EncodedString() }
}
