import Crypto

/// Makes a digest of bytes that come in parts.
enum ContentHasher: Sendable {
    case sha256(SHA256)
    case sha384(SHA384)
    case sha512(SHA512)

    init(_ algorithm: Checksum.Algorithm) {
        switch algorithm {
        case .sha256: self = .sha256(SHA256())
        case .sha384: self = .sha384(SHA384())
        case .sha512: self = .sha512(SHA512())
        }
    }

    mutating func update(_ bytes: [UInt8]) {
        switch self {
        case .sha256(var hash):
            hash.update(data: bytes)
            self = .sha256(hash)
        case .sha384(var hash):
            hash.update(data: bytes)
            self = .sha384(hash)
        case .sha512(var hash):
            hash.update(data: bytes)
            self = .sha512(hash)
        }
    }

    /// The digest of all that came.
    func finish() -> [UInt8] {
        switch self {
        case .sha256(let hash): hash.finalize().withUnsafeBytes { Array($0) }
        case .sha384(let hash): hash.finalize().withUnsafeBytes { Array($0) }
        case .sha512(let hash): hash.finalize().withUnsafeBytes { Array($0) }
        }
    }

    /// The digest of bytes in memory.
    static func digest(_ bytes: [UInt8], _ algorithm: Checksum.Algorithm) -> [UInt8] {
        var hasher = ContentHasher(algorithm)
        hasher.update(bytes)
        return hasher.finish()
    }
}
