/// Why certificate bytes could not be read.
public struct CertificateError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure: stable, and a safe metric label.
    public enum Code: String, Hashable, Sendable {
        /// There are no bytes.
        case empty
        /// More bytes than a certificate may have.
        case tooLarge
        /// The bytes are PEM where DER is expected.
        case pemGiven
        /// The PEM text holds no certificate.
        case noCertificateInPEM
        /// The PEM text is damaged.
        case malformedPEM
        /// The bytes are not DER.
        case malformedDER
        /// The DER is no X.509 certificate.
        case notACertificate
        /// There are several certificates where one is wanted.
        case severalCertificates
        /// The bytes are no public key.
        case notAPublicKey
        /// The file could not be read.
        case unreadableFile
    }

    /// The kind of failure.
    public var code: Code
    /// One sentence for a person, with the remedy where there is one.
    public var reason: String
    /// The offset of the offending byte, where known.
    public var offset: Int?

    /// Makes an error.
    public init(_ code: Code, _ reason: String, offset: Int? = nil) {
        self.code = code
        self.reason = reason
        self.offset = offset
    }

    public var description: String { reason }
}
