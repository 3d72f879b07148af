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
        let digits = Array(hex.utf8)
        guard digits.count == 2 * algorithm.byteCount else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = digits[index].hexadecimalValue, let low = digits[index + 1].hexadecimalValue
            else { return nil }
            bytes.append(UInt8(high << 4 | low))
        }
        self.init(algorithm, bytes: bytes)
    }

    /// The digest as hexadecimal digits.
    public var hex: String {
        bytes.hexadecimal
    }

    /// The algorithm and the hexadecimal digest.
    public var description: String { "\(algorithm.rawValue) \(hex)" }
}
