import HoldfastTrust

/// Pins for tests: 32 bytes of one value.
enum TestPins {
    static func digest(_ byte: UInt8) -> SPKIDigest { SPKIDigest(hashing: [byte]) }

    /// Their base64.
    static func text(_ byte: UInt8) -> String { digest(byte).base64 }

    static let one = text(1)
    static let two = text(2)
    static let three = text(3)
}
