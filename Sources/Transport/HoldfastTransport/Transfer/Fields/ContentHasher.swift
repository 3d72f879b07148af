import Crypto

/// A digest computation over bytes that arrive in parts.
struct ContentHasher: Sendable {
    private var hash: any HashFunction & Sendable

    init(_ algorithm: Checksum.Algorithm) {
        hash =
            switch algorithm {
            case .sha256: SHA256()
            case .sha384: SHA384()
            case .sha512: SHA512()
            }
    }

    mutating func update(_ bytes: [UInt8]) {
        hash.update(data: bytes)
    }

    /// Returns the digest of all bytes.
    func finish() -> [UInt8] {
        Array(hash.finalize())
    }

    /// Computes the digest of a range, on a thread that may block. Checks for cancellation after each stride.
    ///
    /// - Parameter read: Returns bytes from an offset: at least one, and at most the requested number.
    static func digest(
        _ algorithm: Checksum.Algorithm, of range: Range<Int64>, in phase: TransportError.Phase,
        reading read: @escaping @Sendable (Int64, Int) throws -> [UInt8]
    ) async throws -> [UInt8] {
        var hasher = ContentHasher(algorithm)
        var offset = range.lowerBound
        while offset < range.upperBound {
            guard !Task.isCancelled else { throw TransportError(.cancelled, in: phase, "The task was cancelled.") }
            let end = offset + min(stride, range.upperBound - offset)
            (hasher, offset) = try await Blocking.run { [hasher, offset] () throws -> (ContentHasher, Int64) in
                var (running, position) = (hasher, offset)
                while position < end {
                    let bytes = try read(position, Int(min(1 << 18, end - position)))
                    running.update(bytes)
                    position += Int64(bytes.count)
                }
                return (running, position)
            }
        }
        return hasher.finish()
    }

    /// The number of bytes to read between two checks for cancellation.
    private static let stride: Int64 = 16 << 20

    /// Returns the digest of bytes in memory.
    static func digest(_ bytes: [UInt8], _ algorithm: Checksum.Algorithm) -> [UInt8] {
        var hasher = ContentHasher(algorithm)
        hasher.update(bytes)
        return hasher.finish()
    }
}
