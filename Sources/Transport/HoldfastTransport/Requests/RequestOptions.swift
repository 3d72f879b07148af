public import HTTPTypes

/// What one request may want differently.
public struct RequestOptions: Sendable {
    /// The longest time without any progress, over all phases: waiting for a connection, connecting, sending, waiting
    /// for the answer, receiving. Thirty seconds by default.
    public var idleTimeout: Duration
    /// The longest time for the whole request, the response's body included; `nil`: no limit.
    public var totalTimeout: Duration?
    /// Whether to wait, and to try again, while there is no network. Waiting ends with ``totalTimeout``, or with ``idleTimeout`` where there
    /// is none. A refused server, a refused connection or an unknown host fails at once all the same.
    public var waitsForConnectivity: Bool
    /// What becomes of redirects. They are handed to the caller by default.
    public var redirects: RedirectPolicy
    /// Whether the response's body is asked for in compressed form, and decompressed. It is not by default.
    public var decompression: Decompression
    /// Told how many bytes of the two bodies have gone. Called on an event loop: it must return quickly and not block.
    public var onProgress: (@Sendable (TransferProgress) -> Void)?

    /// Told of each informational response (1xx) that comes before the final one: `103` Early Hints, `100`. Called on an
    /// event loop: it must return quickly and not block. ``TransportLimits/informationalResponses`` bounds them. A response
    /// that is asked for again, by a redirect or on a fresh connection, may bring its own.
    public var onInformational: (@Sendable (HTTPResponse) -> Void)?

    /// Makes options.
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
