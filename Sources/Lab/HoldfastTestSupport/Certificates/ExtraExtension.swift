/// An extension that a test writes byte by byte.
public struct ExtraExtension: Hashable, Sendable {
    /// The dotted object identifier.
    public var objectIdentifier: String
    /// Whether a verifier that does not know it must refuse the certificate.
    public var isCritical: Bool
    /// The contents of the extension's OCTET STRING.
    public var value: [UInt8]

    public init(_ objectIdentifier: String, isCritical: Bool = false, value: [UInt8] = [0x05, 0x00]) {
        self.objectIdentifier = objectIdentifier
        self.isCritical = isCritical
        self.value = value
    }
}
