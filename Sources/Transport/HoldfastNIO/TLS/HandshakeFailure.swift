/// Why a TLS handshake failed where the server's certificate was not what was refused.
public struct HandshakeFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure: stable, and a safe metric label.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// The server speaks no version of TLS that is allowed: it wants TLS 1.1 or older.
        case protocolVersion
        /// The server accepts none of the allowed cipher suites: it wants RSA key exchange or CBC.
        case noSharedCipherSuite
        /// What the server sent is not TLS.
        case notTLS
        /// The server sent an alert of another kind.
        case alert
        /// The server closed the connection in the middle of the handshake.
        case closed
        /// The connection broke in the middle of the handshake.
        case reset
        /// The server sent more than any handshake needs.
        case tooLarge
        /// The handshake did not end in time.
        case timedOut
        /// The server's proof of its key, or another message of the handshake, is invalid.
        case invalidMessage
        /// The handshake came to its end without a verification. This must not happen, and lets nothing through.
        case unverified
    }

    /// The kind of failure.
    public var code: Code
    /// One sentence for a person.
    public var reason: String
    /// The alert that the server sent (RFC 8446, 6), where it sent one that could be read.
    public var alert: UInt8?

    /// Makes a failure.
    public init(_ code: Code, _ reason: String, alert: UInt8? = nil) {
        self.code = code
        self.reason = reason
        self.alert = alert
    }

    public var description: String { "\(code.rawValue): \(reason)" }
}
