import Crypto
import HoldfastBase
import HoldfastTrust

/// A digest of a whole file and its algorithm.
public struct Checksum: Hashable, Sendable, CustomStringConvertible {
    /// A digest algorithm. Broken algorithms (MD5, SHA-1) are not supported.
    public enum Algorithm: String, Hashable, Sendable, CaseIterable, Comparable, Codable {
        case sha256 = "sha-256"
        case sha384 = "sha-384"
        case sha512 = "sha-512"

        /// The number of bytes of a digest.
        public var byteCount: Int {
            switch self {
            case .sha256: 32
            case .sha384: 48
            case .sha512: 64
            }
        }

        /// Returns whether the first algorithm has the shorter digest.
        public static func < (lhs: Self, rhs: Self) -> Bool { lhs.byteCount < rhs.byteCount }
    }

    /// The digest algorithm.
    public let algorithm: Algorithm
    /// The digest.
    public let bytes: [UInt8]

    /// Creates a checksum; `nil` if the number of bytes does not match the algorithm.
    public init?(_ algorithm: Algorithm, bytes: [UInt8]) {
        guard bytes.count == algorithm.byteCount else { return nil }
        self.algorithm = algorithm
        self.bytes = bytes
    }

    /// Parses a hexadecimal digest, as printed by `sha256sum`, in upper or lower case; `nil` if it is invalid.
    public init?(_ algorithm: Algorithm, hex: String) {
        let digits = hex.utf8.compactMap(\.hexadecimalValue)
        guard digits.count == hex.utf8.count, digits.count == 2 * algorithm.byteCount else { return nil }
        let places = stride(from: 0, to: digits.count, by: 2)
        self.init(algorithm, bytes: places.map { UInt8(digits[$0] << 4 | digits[$0 + 1]) })
    }

    /// The digest as hexadecimal digits.
    public var hex: String {
        bytes.hexadecimal
    }

    /// The algorithm and the hexadecimal digest.
    public var description: String { "\(algorithm.rawValue) \(hex)" }
}

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
