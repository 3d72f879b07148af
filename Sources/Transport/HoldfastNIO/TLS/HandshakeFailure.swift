/// A TLS handshake failure with a cause other than a refused server certificate.
///
/// - Remedy: Check the server with `holdfast probe`: TLS 1.2 or later with ECDHE and an AEAD cipher is required.
public struct HandshakeFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure. Raw values are stable and safe as metric labels. New codes may be added, so handle unknown
    /// ones.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The stable name of the code.
        public let rawValue: String
        /// Makes a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The stable name of the code.
        public var description: String { rawValue }

        /// The server supports no allowed TLS version: it requires TLS 1.1 or older.
        public static let protocolVersion = Code(rawValue: "protocolVersion")
        /// The server accepts no allowed cipher suite: it requires RSA key exchange or CBC.
        public static let noSharedCipherSuite = Code(rawValue: "noSharedCipherSuite")
        /// The server's first bytes are not TLS.
        public static let notTLS = Code(rawValue: "notTLS")
        /// The server sent an alert that no other code describes.
        public static let alert = Code(rawValue: "alert")
        /// The server closed the connection during the handshake.
        public static let closed = Code(rawValue: "closed")
        /// The connection was reset during the handshake.
        public static let reset = Code(rawValue: "reset")
        /// The server sent more bytes than a handshake may need.
        public static let tooLarge = Code(rawValue: "tooLarge")
        /// The handshake did not complete before its deadline.
        public static let timedOut = Code(rawValue: "timedOut")
        /// A handshake message, such as the server's proof of key possession, is invalid.
        public static let invalidMessage = Code(rawValue: "invalidMessage")
        /// The handshake completed without a verification. This indicates a defect; the connection is not used.
        public static let unverified = Code(rawValue: "unverified")

        /// The codes that may label a metric or a span. A test compares the list with the constants.
        package static let labelled: Set<Code> = [
            .protocolVersion, .noSharedCipherSuite, .notTLS, .alert, .closed,
            .reset, .tooLarge, .timedOut, .invalidMessage, .unverified,
        ]

        /// The code as a metric label: one of a fixed list, or `other`.
        package var label: String { Self.labelled.contains(self) ? rawValue : "other" }
    }

    /// The kind of failure.
    public var code: Code
    /// A human-readable description in one sentence.
    public var reason: String
    /// The alert that the server sent (RFC 8446, 6), if one could be read.
    public var alert: UInt8?

    /// Makes a failure from its code, its description and the server's alert.
    public init(_ code: Code, _ reason: String, alert: UInt8? = nil) {
        self.code = code
        self.reason = reason
        self.alert = alert
    }

    /// The code and the reason.
    public var description: String { "\(code.rawValue): \(reason)" }
}
