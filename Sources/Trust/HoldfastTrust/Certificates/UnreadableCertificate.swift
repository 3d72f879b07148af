/// A certificate that the server presented and that could not be parsed.
public struct UnreadableCertificate: Hashable, Sendable {
    /// Its place in what the server presented.
    public var index: Int
    /// The bytes.
    public var der: [UInt8]
    /// Why it could not be parsed.
    public var error: CertificateError

    /// Names an unreadable certificate.
    public init(index: Int, der: [UInt8], error: CertificateError) {
        self.index = index
        self.der = der
        self.error = error
    }
}
