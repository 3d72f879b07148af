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
        /// The host is on this machine or a local network, and the request may not go there: its address comes from a
        /// certificate (see ``HTTPOCSPRequester``) or from a message.
        public static let localAddressRefused = Code(rawValue: "localAddressRefused")

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
        /// The server chose an application protocol that it was not offered, or none where ``HTTPVersions/http2Only`` wants HTTP/2.
        public static let noCommonProtocol = Code(rawValue: "noCommonProtocol")

        /// A time-out, in the phase that ``TransportError/phase`` names.
        public static let timedOut = Code(rawValue: "timedOut")
        /// The peer closed the connection, or the connection broke, before the exchange was complete.
        public static let connectionClosed = Code(rawValue: "connectionClosed")
        /// The peer sent something that is not HTTP, or HTTP that can be read in two ways; ``TransportError/defect`` says
        /// what.
        public static let malformedResponse = Code(rawValue: "malformedResponse")
        /// The head of a response, or its trailer section, is larger than ``TransportLimits/headBytes``.
        public static let headTooLarge = Code(rawValue: "headTooLarge")
        /// A response has more fields than ``TransportLimits/headerFields``.
        public static let tooManyFields = Code(rawValue: "tooManyFields")
        /// More 1xx responses came than ``TransportLimits/informationalResponses``.
        public static let tooManyInformationalResponses = Code(rawValue: "tooManyInformationalResponses")
        /// More frames of HTTP/2 came that carry nothing of a response than ``TransportLimits/controlFrames``.
        public static let tooManyFrames = Code(rawValue: "tooManyFrames")
        /// The body of a response is larger than the caller takes.
        public static let responseTooLarge = Code(rawValue: "responseTooLarge")
        /// A redirect may not be followed: it leads from `https:` to `http:`, or its location is no URL of a host.
        public static let redirectRefused = Code(rawValue: "redirectRefused")
        /// There are more redirects than ``RedirectPolicy/limit``.
        public static let tooManyRedirects = Code(rawValue: "tooManyRedirects")
        /// A redirect leads back to where the request has been.
        public static let redirectLoop = Code(rawValue: "redirectLoop")
        /// A redirect wants a body again that was streamed.
        public static let bodyNotRepeatable = Code(rawValue: "bodyNotRepeatable")
        /// A compressed body is damaged or cut off, something stands behind it, or its coding was not asked for.
        public static let decodingFailed = Code(rawValue: "decodingFailed")
        /// A compressed body becomes larger than ``Decompression`` allows.
        public static let decompressedTooLarge = Code(rawValue: "decompressedTooLarge")
        /// More requests wait for a connection than ``TransportLimits/waitingRequests``.
        public static let tooManyWaiting = Code(rawValue: "tooManyWaiting")
        /// The request's body could not be read, or was shorter or longer than announced.
        public static let bodyFailed = Code(rawValue: "bodyFailed")

        /// The task that waited was cancelled.
        public static let cancelled = Code(rawValue: "cancelled")
        /// The client has been shut down.
        public static let shutDown = Code(rawValue: "shutDown")
    }
}
