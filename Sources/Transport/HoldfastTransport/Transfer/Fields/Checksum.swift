import HoldfastBase
import HoldfastTrust

/// A digest of a whole file, and how it was made.
public struct Checksum: Hashable, Sendable, CustomStringConvertible {
    /// How a digest is made. Those that are broken (MD5, SHA-1) are not offered.
    public enum Algorithm: String, Hashable, Sendable, CaseIterable, Comparable, Codable {
        case sha256 = "sha-256"
        case sha384 = "sha-384"
        case sha512 = "sha-512"

        /// How many bytes a digest has.
        public var byteCount: Int {
            switch self {
            case .sha256: 32
            case .sha384: 48
            case .sha512: 64
            }
        }

        public static func < (lhs: Self, rhs: Self) -> Bool { lhs.byteCount < rhs.byteCount }
    }

    /// How it was made.
    public let algorithm: Algorithm
    /// The digest.
    public let bytes: [UInt8]

    /// Takes a digest; `nil` if it has not as many bytes as the algorithm makes.
    public init?(_ algorithm: Algorithm, bytes: [UInt8]) {
        guard bytes.count == algorithm.byteCount else { return nil }
        self.algorithm = algorithm
        self.bytes = bytes
    }

    /// Reads a digest as `sha256sum` and its kin write it, in either case; `nil` if it is none.
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

    /// The digest in hexadecimal digits.
    public var hex: String {
        bytes.hexadecimal
    }

    public var description: String { "\(algorithm.rawValue) \(hex)" }
}
