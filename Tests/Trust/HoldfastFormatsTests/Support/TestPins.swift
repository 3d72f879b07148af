import HoldfastTrust

/// Pins for tests: hashes of a single byte.
enum TestPins {
    static func digest(_ byte: UInt8) -> SPKIDigest { SPKIDigest(hashing: [byte]) }

    /// Returns the digest in base64.
    static func text(_ byte: UInt8) -> String { digest(byte).base64 }

    static let one = text(1)
    static let two = text(2)
    static let three = text(3)
}
