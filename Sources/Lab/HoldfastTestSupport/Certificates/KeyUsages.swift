/// The bits of a certificate's key usage (RFC 5280, 4.2.1.3).
public struct KeyUsages: OptionSet, Hashable, Sendable {
    public let rawValue: UInt16
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    public static let digitalSignature = KeyUsages(rawValue: 1 << 0)
    public static let nonRepudiation = KeyUsages(rawValue: 1 << 1)
    public static let keyEncipherment = KeyUsages(rawValue: 1 << 2)
    public static let dataEncipherment = KeyUsages(rawValue: 1 << 3)
    public static let keyAgreement = KeyUsages(rawValue: 1 << 4)
    public static let keyCertSign = KeyUsages(rawValue: 1 << 5)
    public static let crlSign = KeyUsages(rawValue: 1 << 6)

    /// The positions of the bits that are set.
    var bits: [Int] { (0..<9).filter { rawValue & (1 << UInt16($0)) != 0 } }
}
