import Crypto

/// The SHA-256 of a distinguished name's bytes. A peer chooses how long a name is; this is looked up and compared in the
/// same time for every one.
struct NameDigest: Hashable, Sendable {
    private let first: UInt64
    private let second: UInt64
    private let third: UInt64
    private let fourth: UInt64

    init(_ name: ArraySlice<UInt8>) {
        (first, second, third, fourth) = SHA256.hash(data: name).withUnsafeBytes { bytes in
            (
                bytes.loadUnaligned(as: UInt64.self), bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self),
                bytes.loadUnaligned(fromByteOffset: 16, as: UInt64.self),
                bytes.loadUnaligned(fromByteOffset: 24, as: UInt64.self)
            )
        }
    }

    /// A quarter of a hash is enough of a hash.
    func hash(into hasher: inout Hasher) { hasher.combine(first) }
}
