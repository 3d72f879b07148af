/// Why a TLS handshake failed where the server's certificate was not what was refused.
public struct HandshakeFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure: stable, and a safe metric label. The set may grow: compare with the constants, and expect others.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public var description: String { rawValue }

        /// The server speaks no version of TLS that is allowed: it wants TLS 1.1 or older.
        public static let protocolVersion = Code(rawValue: "protocolVersion")
        /// The server accepts none of the allowed cipher suites: it wants RSA key exchange or CBC.
        public static let noSharedCipherSuite = Code(rawValue: "noSharedCipherSuite")
        /// What the server sent is not TLS.
        public static let notTLS = Code(rawValue: "notTLS")
        /// The server sent an alert of another kind.
        public static let alert = Code(rawValue: "alert")
        /// The server closed the connection in the middle of the handshake.
        public static let closed = Code(rawValue: "closed")
        /// The connection broke in the middle of the handshake.
        public static let reset = Code(rawValue: "reset")
        /// The server sent more than any handshake needs.
        public static let tooLarge = Code(rawValue: "tooLarge")
        /// The handshake did not end in time.
        public static let timedOut = Code(rawValue: "timedOut")
        /// The server's proof of its key, or another message of the handshake, is invalid.
        public static let invalidMessage = Code(rawValue: "invalidMessage")
        /// The handshake came to its end without a verification. This must not happen, and lets nothing through.
        public static let unverified = Code(rawValue: "unverified")

        /// The codes that label a metric or a span. A test compares the list with the constants.
        package static let labelled: Set<Code> = [
            .protocolVersion, .noSharedCipherSuite, .notTLS, .alert, .closed,
            .reset, .tooLarge, .timedOut, .invalidMessage, .unverified,
        ]

        /// The code as a label: one of a fixed list, or `other`.
        package var label: String { Self.labelled.contains(self) ? rawValue : "other" }
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
