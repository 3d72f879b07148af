extension TransportError {
    /// The stable name of a kind of failure.
    ///
    /// The set may grow, so handle unknown values when comparing with the constants.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The stable name.
        public let rawValue: String
        /// Creates a value from its stable name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The stable name.
        public var description: String { rawValue }

        /// The URL or the request cannot be sent: the host is missing or has no canonical form, the scheme is unknown,
        /// or the path contains forbidden characters.
        ///
        /// - Remedy: Correct the URL.
        public static let invalidURL = Code(rawValue: "invalidURL")
        /// The request contradicts itself: a `TRACE` with a body, or a `Content-Length` that differs from the body's
        /// length.
        ///
        /// - Remedy: Correct the request.
        public static let invalidRequest = Code(rawValue: "invalidRequest")
        /// An `http:` or `ws:` URL of a host other than loopback; see
        /// ``TransportConfiguration/dangerouslyAllowsCleartext``.
        ///
        /// - Remedy: Use `https:` or `wss:`. On a closed network, set `dangerouslyAllowsCleartext`.
        public static let cleartextRefused = Code(rawValue: "cleartextRefused")
        /// The host is on this machine or a local network, and the request must not connect to it, because its address
        /// came from a certificate (see ``HTTPOCSPRequester``) or from a message.
        ///
        /// - Remedy: None: the address is not trusted. For your own responder, set `allowsLocalResponders`.
        public static let localAddressRefused = Code(rawValue: "localAddressRefused")

        /// The name server has no address for the host.
        ///
        /// - Remedy: Check the host name and the name server.
        public static let unresolvedHost = Code(rawValue: "unresolvedHost")
        /// Every address of the host refused the connection or failed.
        ///
        /// - Remedy: Check that the server listens; `attempts` lists the addresses. Retry later.
        public static let connectionRefused = Code(rawValue: "connectionRefused")
        /// The device has no network connection, or no route to the host.
        ///
        /// - Remedy: Retry when the device has a connection. Requests can wait for one (`waitsForConnectivity`).
        public static let noConnectivity = Code(rawValue: "noConnectivity")

        /// The client reached a proxy, but the proxy did not connect to the server; ``TransportError/proxy`` has the
        /// reason.
        ///
        /// - Remedy: Read `proxy`, and check the address and the credentials of the proxy.
        public static let proxyFailed = Code(rawValue: "proxyFailed")
        /// The configuration cannot be used: the TLS key log file cannot be written, or connections cannot be opened in
        /// advance because idle ones are not kept.
        ///
        /// - Remedy: Correct what the reason names.
        public static let invalidConfiguration = Code(rawValue: "invalidConfiguration")

        /// The trust evaluation refused the server; ``TransportError/verdict`` has the reason.
        ///
        /// - Remedy: Read `verdict.finding`, and follow its remedy. Do not retry: the server stays refused.
        public static let trustRefused = Code(rawValue: "trustRefused")
        /// The TLS handshake failed for another reason; ``TransportError/handshake`` has the reason.
        ///
        /// - Remedy: Read `handshake`, and check the TLS configuration of the server.
        public static let tlsHandshakeFailed = Code(rawValue: "tlsHandshakeFailed")
        /// The server chose an application protocol that the client did not offer, or chose none although
        /// ``HTTPVersions/http2Only`` requires HTTP/2.
        ///
        /// - Remedy: Allow HTTP/1.1, or enable HTTP/2 at the server.
        public static let noCommonProtocol = Code(rawValue: "noCommonProtocol")

        /// A timeout expired in the phase in ``TransportError/phase``.
        ///
        /// - Remedy: Retry if the request may be repeated. Read `phase`, and increase its timeout if the server is
        ///   slow.
        public static let timedOut = Code(rawValue: "timedOut")
        /// The peer closed the connection, or the connection failed, before the exchange was complete.
        ///
        /// - Remedy: Retry if the request may be repeated.
        public static let connectionClosed = Code(rawValue: "connectionClosed")
        /// The peer sent bytes that are not HTTP, or an ambiguous response; ``TransportError/defect`` has the reason.
        ///
        /// - Remedy: Read `defect`, and correct the server or the proxy in front of it.
        public static let malformedResponse = Code(rawValue: "malformedResponse")
        /// The response head or the trailer section is larger than ``TransportLimits/headBytes``.
        ///
        /// - Remedy: Send fewer or shorter fields from the server, or raise the limit.
        public static let headTooLarge = Code(rawValue: "headTooLarge")
        /// The response has more fields than ``TransportLimits/headerFields``.
        ///
        /// - Remedy: Send fewer fields from the server, or raise the limit.
        public static let tooManyFields = Code(rawValue: "tooManyFields")
        /// The server sent more 1xx responses than ``TransportLimits/informationalResponses``.
        ///
        /// - Remedy: Correct the server.
        public static let tooManyInformationalResponses = Code(rawValue: "tooManyInformationalResponses")
        /// The server sent more HTTP/2 frames without response data than ``TransportLimits/controlFrames``.
        ///
        /// - Remedy: Correct the server; suspect an attack.
        public static let tooManyFrames = Code(rawValue: "tooManyFrames")
        /// The response body is larger than the caller's limit.
        ///
        /// - Remedy: Read the body as a stream, or raise the caller's limit.
        public static let responseTooLarge = Code(rawValue: "responseTooLarge")
        /// The redirect must not be followed: it leads from `https:` to `http:`, or its location is not a URL with a
        /// host.
        ///
        /// - Remedy: Request the final URL directly.
        public static let redirectRefused = Code(rawValue: "redirectRefused")
        /// The number of redirects exceeds ``RedirectPolicy/limit``.
        ///
        /// - Remedy: Request the final URL directly, or raise the limit.
        public static let tooManyRedirects = Code(rawValue: "tooManyRedirects")
        /// The redirect leads to a URL that was already requested.
        ///
        /// - Remedy: Correct the server.
        public static let redirectLoop = Code(rawValue: "redirectLoop")
        /// The redirect requires sending the body again, but the body was streamed.
        ///
        /// - Remedy: Send the body from memory or a file, or request the final URL.
        public static let bodyNotRepeatable = Code(rawValue: "bodyNotRepeatable")
        /// A compressed body is damaged, truncated or followed by other bytes, or has a coding that the request did not
        /// accept.
        ///
        /// - Remedy: Retry, or correct the server.
        public static let decodingFailed = Code(rawValue: "decodingFailed")
        /// A decompressed body exceeds the limit in ``Decompression``.
        ///
        /// - Remedy: Raise the limit if the server is trusted.
        public static let decompressedTooLarge = Code(rawValue: "decompressedTooLarge")
        /// The number of requests waiting for a connection exceeds ``TransportLimits/waitingRequests``.
        ///
        /// - Remedy: Send fewer requests at a time, or raise the limit. Retry later.
        public static let tooManyWaiting = Code(rawValue: "tooManyWaiting")
        /// The request body could not be read, or its length differs from the announced length.
        ///
        /// - Remedy: Check the source of the body.
        public static let bodyFailed = Code(rawValue: "bodyFailed")

        /// The waiting task was cancelled.
        ///
        /// - Remedy: None: the caller cancelled it.
        public static let cancelled = Code(rawValue: "cancelled")
        /// The client was shut down.
        ///
        /// - Remedy: Create a new client.
        public static let shutDown = Code(rawValue: "shutDown")
    }
}

extension TransportError {
    /// The codes that are used as labels of a metric or a span. The type is open, because the closures of a caller may
    /// throw other codes.
    static let labelled: Set<Code> = [
        .invalidURL, .invalidRequest, .cleartextRefused, .localAddressRefused, .unresolvedHost, .connectionRefused,
        .noConnectivity,
        .proxyFailed, .invalidConfiguration, .trustRefused, .tlsHandshakeFailed, .noCommonProtocol, .timedOut,
        .connectionClosed, .malformedResponse, .headTooLarge, .tooManyFields, .tooManyInformationalResponses,
        .tooManyFrames, .responseTooLarge, .redirectRefused, .tooManyRedirects, .redirectLoop, .bodyNotRepeatable,
        .decodingFailed, .decompressedTooLarge, .tooManyWaiting, .bodyFailed, .cancelled, .shutDown,
    ]

    /// Returns the label of an error: a code of a fixed list, `caller` for an error that a closure of the caller threw,
    /// or `other`.
    static func label(of error: any Error) -> String {
        switch error {
        case let error as TransportError: labelled.contains(error.code) ? error.code.rawValue : "other"
        case is CancellationError: Code.cancelled.rawValue
        default: "caller"
        }
    }
}
