import Crypto

/// Names a presented chain: the SHA-256 over every certificate's bytes in order, each behind its length, so that no two
/// chains share a name by shifting bytes from one certificate to the next.
struct ChainDigest: Hashable, Sendable {
    private let bytes: [UInt8]

    init(_ der: [[UInt8]]) {
        var hash = SHA256()
        for certificate in der {
            let count = UInt64(certificate.count)
            hash.update(data: (0..<8).map { UInt8(truncatingIfNeeded: count >> (56 - 8 * UInt64($0))) })
            hash.update(data: certificate)
        }
        bytes = Array(hash.finalize())
    }
}
