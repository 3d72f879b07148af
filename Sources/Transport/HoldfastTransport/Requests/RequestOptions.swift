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

    /// The choices that select the connections of the request; `nil` for most requests.
    private(set) var variation: DialVariation?

    /// The address to connect to in place of the URL's host and port. None by default.
    ///
    /// The `Host` field, the server name in TLS, the verified names and the pins remain those of the URL's host. The
    /// connections are used only by requests to the same host with the same address. An address takes precedence over
    /// ``TransportConfiguration/hostOverrides``, and a proxy is asked to connect to it. After a redirect to another
    /// origin (scheme, host or port), the request no longer uses the address, even if a later redirect leads back.
    public var address: ConnectAddress? {
        get { variation?.address }
        set { variation = .of(address: newValue, trust: trust) }
    }

    /// The trust that verifies the server for this request, in place of ``TransportConfiguration/trust``. None by
    /// default.
    ///
    /// Only requests with the same object share connections. The trust also applies to the hosts of redirects.
    public var trust: RequestTrust? {
        get { variation?.trust }
        set { variation = .of(address: address, trust: newValue) }
    }

    /// Creates options.
    public init(
        idleTimeout: Duration = .seconds(30), totalTimeout: Duration? = nil, waitsForConnectivity: Bool = false,
        redirects: RedirectPolicy = .deliver, decompression: Decompression = .off,
        onProgress: (@Sendable (TransferProgress) -> Void)? = nil,
        onInformational: (@Sendable (HTTPResponse) -> Void)? = nil, address: ConnectAddress? = nil,
        trust: RequestTrust? = nil
    ) {
        self.idleTimeout = idleTimeout
        self.totalTimeout = totalTimeout
        self.waitsForConnectivity = waitsForConnectivity
        self.redirects = redirects
        self.decompression = decompression
        self.onProgress = onProgress
        self.onInformational = onInformational
        self.variation = .of(address: address, trust: trust)
    }
}

extension RequestOptions {
    /// Returns the options for a REST request with the chat setting `connectionTimeout`: an idle timeout over all
    /// phases, from connecting to the last byte of the response. Each byte restarts it. There is no total timeout, and
    /// a missing network fails the request at once.
    public static func rest(connectionTimeout: Duration = .seconds(30)) -> RequestOptions {
        RequestOptions(idleTimeout: connectionTimeout)
    }

    /// Returns the options for a file download with the chat setting `downloadTimeout`, an idle timeout as for REST
    /// requests.
    public static func download(downloadTimeout: Duration = .seconds(30)) -> RequestOptions {
        RequestOptions(idleTimeout: downloadTimeout)
    }

    /// Returns the options for an upload with the chat setting `uploadTimeout`, which is both the idle timeout and the
    /// default total timeout. A large file over a slow connection needs a larger value or its own `total`.
    ///
    /// Only uploads wait for a missing network, up to the total timeout. A refused server (trust), a refused connection
    /// or a reset fails an upload at once.
    ///
    /// - Parameters:
    /// - uploadTimeout: The idle timeout, and the total timeout if `total` is `nil`.
    /// - total: The total timeout of the upload.
    public static func upload(
        uploadTimeout: Duration = .seconds(120), total: Duration? = nil
    ) -> RequestOptions {
        RequestOptions(idleTimeout: uploadTimeout, totalTimeout: total ?? uploadTimeout, waitsForConnectivity: true)
    }
}

/// The number of body bytes that a request has sent and received so far.
public struct TransferProgress: Hashable, Sendable {
    /// The bytes of the request body that were written to the socket.
    public var sent: Int64
    /// The length of the request body, if known.
    public var toSend: Int64?
    /// The bytes of the response body that were received.
    public var received: Int64
    /// The length of the response body, if the server announced it.
    public var toReceive: Int64?

    /// Creates a progress value.
    public init(sent: Int64 = 0, toSend: Int64? = nil, received: Int64 = 0, toReceive: Int64? = nil) {
        self.sent = sent
        self.toSend = toSend
        self.received = received
        self.toReceive = toReceive
    }
}
