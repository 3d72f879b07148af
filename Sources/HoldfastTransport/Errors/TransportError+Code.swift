extension TransportError {
    /// The stable name of a kind of failure. The set may grow: compare with the constants, and expect others.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public var description: String { rawValue }

        /// The URL or the request cannot be sent: no host, a host without canonical form, an unknown scheme, a path
        /// with forbidden characters.
        public static let invalidURL = Code(rawValue: "invalidURL")
        /// The request contradicts itself: a body with a `TRACE`, a `Content-Length` that is not the body's.
        public static let invalidRequest = Code(rawValue: "invalidRequest")
        /// `http:` or `ws:` to a host other than the loopback; see ``TransportConfiguration/dangerouslyAllowsCleartext``.
        public static let cleartextRefused = Code(rawValue: "cleartextRefused")

        /// The name server knows no address for the host.
        public static let unresolvedHost = Code(rawValue: "unresolvedHost")
        /// Every address of the host refused the connection or failed.
        public static let connectionRefused = Code(rawValue: "connectionRefused")
        /// There is no network, or no route to the host.
        public static let noConnectivity = Code(rawValue: "noConnectivity")

        /// A proxy was reached and did not lead to the server; ``TransportError/proxy`` says why.
        public static let proxyFailed = Code(rawValue: "proxyFailed")
        /// What is configured cannot be used: the file for the secrets of connections cannot be written.
        public static let invalidConfiguration = Code(rawValue: "invalidConfiguration")

        /// The server was refused; ``TransportError/verdict`` says why.
        public static let trustRefused = Code(rawValue: "trustRefused")
        /// The TLS handshake failed for another reason; ``TransportError/handshake`` says which.
        public static let tlsHandshakeFailed = Code(rawValue: "tlsHandshakeFailed")

        /// A time-out, in the phase that ``TransportError/phase`` names.
        public static let timedOut = Code(rawValue: "timedOut")
        /// The peer closed the connection, or the connection broke, before the exchange was complete.
        public static let connectionClosed = Code(rawValue: "connectionClosed")
        /// The peer sent something that is not HTTP, or HTTP that can be read in two ways.
        public static let malformedResponse = Code(rawValue: "malformedResponse")
        /// The response is larger than a limit allows.
        public static let responseTooLarge = Code(rawValue: "responseTooLarge")
        /// The request's body could not be read, or was shorter or longer than announced.
        public static let bodyFailed = Code(rawValue: "bodyFailed")

        /// The task that waited was cancelled.
        public static let cancelled = Code(rawValue: "cancelled")
        /// The client has been shut down.
        public static let shutDown = Code(rawValue: "shutDown")
    }
}
