/// Why a proxy that was reached did not lead to the server.
public struct ProxyFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure: stable, and a safe metric label. The set may grow: compare with the constants, and expect others.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public var description: String { rawValue }

        /// The proxy wants other credentials than it got: a `407`, or SOCKS5 with no method in common or a failed login.
        public static let authentication = Code(rawValue: "authentication")
        /// The proxy does not connect to the server, or could not. ``ProxyFailure/status`` says what it answered.
        public static let refused = Code(rawValue: "refused")
        /// The proxy's answer is no HTTP, or no SOCKS5.
        public static let malformed = Code(rawValue: "malformed")
        /// The head of the proxy's answer is larger than 16 KiB, or comes after more than ten provisional ones.
        public static let tooLarge = Code(rawValue: "tooLarge")
        /// Something followed the proxy's answer before TLS had begun: no server speaks first, so it is the proxy's or
        /// an attacker's, and is not mistaken for the server's.
        public static let earlyBytes = Code(rawValue: "earlyBytes")
        /// The proxy closed the connection before its answer was complete.
        public static let closed = Code(rawValue: "closed")
        /// The proxy was refused, or no TLS could be agreed on with it.
        public static let tls = Code(rawValue: "tls")
        /// The answer did not come in time.
        public static let timedOut = Code(rawValue: "timedOut")

        /// The codes that label a metric or a span. A test compares the list with the constants.
        package static let labelled: Set<Code> = [
            .authentication, .refused, .malformed, .tooLarge, .earlyBytes,
            .closed, .tls, .timedOut,
        ]

        /// The code as a label: one of a fixed list, or `other`.
        package var label: String { Self.labelled.contains(self) ? rawValue : "other" }
    }

    /// The kind of failure.
    public var code: Code
    /// One sentence for a person. Of what the proxy sent it holds numbers alone.
    public var reason: String
    /// The status of the proxy's answer (RFC 9110, 15), or the code of its SOCKS5 reply (RFC 1928, 6).
    public var status: Int?

    /// Makes a failure.
    public init(_ code: Code, _ reason: String, status: Int? = nil) {
        self.code = code
        self.reason = reason
        self.status = status
    }

    public var description: String { "\(code.rawValue): \(reason)" }
}
