/// One block of a PEM text: what stands between `-----BEGIN label-----` and `-----END label-----`, decoded.
public struct PEMBlock: Hashable, Sendable {
    /// The words behind BEGIN, such as `CERTIFICATE` or `PUBLIC KEY`.
    public let label: String
    /// The decoded bytes. For a private key these are a secret.
    public let der: [UInt8]
    /// The line of the text, counted from 1, on which the block begins.
    public let line: Int
    /// The offset in the text of the block's first byte.
    public let offset: Int

    /// Whether the label says that it is a certificate.
    public var isCertificate: Bool { label == "CERTIFICATE" || label == "X509 CERTIFICATE" }

    /// Whether the label says that it is a private key, encrypted or not.
    public var isPrivateKey: Bool { label.hasSuffix("PRIVATE KEY") }
}
