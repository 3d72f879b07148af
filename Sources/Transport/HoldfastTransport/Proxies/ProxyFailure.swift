/// The reason why a proxy that was reached did not connect to the server.
///
/// - Remedy: Check the address and the credentials of the proxy, and whether it may connect to the server.
public struct ProxyFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The stable name of a kind of failure, safe as a metric label.
    ///
    /// The set may grow, so handle unknown values when comparing with the constants.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The stable name.
        public let rawValue: String
        /// Creates a value from its stable name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The stable name.
        public var description: String { rawValue }

        /// The proxy requires other credentials: a `407` response, or in SOCKS5 no common method or a failed login.
        public static let authentication = Code(rawValue: "authentication")
        /// The proxy refused to connect to the server or could not. ``ProxyFailure/status`` is its response.
        public static let refused = Code(rawValue: "refused")
        /// The proxy's response is not valid HTTP or SOCKS5.
        public static let malformed = Code(rawValue: "malformed")
        /// The proxy's response head is larger than 16 KiB, or follows more than ten provisional responses.
        public static let tooLarge = Code(rawValue: "tooLarge")
        /// Bytes followed the proxy's response before TLS started. The server does not send first, so the bytes come
        /// from the proxy or an attacker and are not passed on.
        public static let earlyBytes = Code(rawValue: "earlyBytes")
        /// The proxy closed the connection before its response was complete.
        public static let closed = Code(rawValue: "closed")
        /// The proxy's certificate was refused, or the TLS handshake with the proxy failed.
        public static let tls = Code(rawValue: "tls")
        /// The proxy did not respond in time.
        public static let timedOut = Code(rawValue: "timedOut")

        /// The codes that are used as labels of a metric or a span. A test compares the list with the constants.
        package static let labelled: Set<Code> = [
            .authentication, .refused, .malformed, .tooLarge, .earlyBytes,
            .closed, .tls, .timedOut,
        ]

        /// The code as a label: a value of a fixed list, or `other`.
        package var label: String { Self.labelled.contains(self) ? rawValue : "other" }
    }

    /// The kind of failure.
    public var code: Code
    /// A human-readable sentence. It contains only numbers from the proxy's response.
    public var reason: String
    /// The status of the proxy's response (RFC 9110, 15), or the code of its SOCKS5 reply (RFC 1928, 6).
    public var status: Int?

    /// Creates a failure.
    public init(_ code: Code, _ reason: String, status: Int? = nil) {
        self.code = code
        self.reason = reason
        self.status = status
    }

    /// The code and the reason.
    public var description: String { "\(code.rawValue): \(reason)" }
}
