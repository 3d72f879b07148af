public import HTTPTypes

/// The options of a single request.
public struct RequestOptions: Sendable {
    /// The maximum time without progress in any phase: waiting for a connection, connecting, sending, waiting for the
    /// response, receiving. Thirty seconds by default.
    public var idleTimeout: Duration
    /// The maximum time for the whole request, including the response body; `nil` for no limit.
    public var totalTimeout: Duration?
    /// Whether to wait and retry while there is no network. The wait ends with ``totalTimeout``, or with
    /// ``idleTimeout`` if there is no total timeout. A refused server, a refused connection or an unknown host still
    /// fails at once.
    public var waitsForConnectivity: Bool
    /// The policy for redirects. By default redirect responses are returned to the caller.
    public var redirects: RedirectPolicy
    /// Whether to request compressed response bodies and decompress them. Off by default.
    public var decompression: Decompression
    /// A closure that is called with the number of body bytes sent and received. It runs on an event loop, so it must
    /// return quickly and must not block.
    public var onProgress: (@Sendable (TransferProgress) -> Void)?

    /// A closure that is called with each informational response (1xx) before the final response, such as `100` or
    /// `103` Early Hints.
    ///
    /// It runs on an event loop, so it must return quickly and must not block.
    /// ``TransportLimits/informationalResponses`` limits the number of calls. After a redirect, or a retry on a new
    /// connection, the new response can have its own informational responses.
    public var onInformational: (@Sendable (HTTPResponse) -> Void)?

    /// Creates options.
    public init(
        idleTimeout: Duration = .seconds(30), totalTimeout: Duration? = nil, waitsForConnectivity: Bool = false,
        redirects: RedirectPolicy = .deliver, decompression: Decompression = .off,
        onProgress: (@Sendable (TransferProgress) -> Void)? = nil,
        onInformational: (@Sendable (HTTPResponse) -> Void)? = nil
    ) {
        self.idleTimeout = idleTimeout
        self.totalTimeout = totalTimeout
        self.waitsForConnectivity = waitsForConnectivity
        self.redirects = redirects
        self.decompression = decompression
        self.onProgress = onProgress
        self.onInformational = onInformational
    }
}
