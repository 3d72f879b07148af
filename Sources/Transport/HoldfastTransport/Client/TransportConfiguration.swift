public import HoldfastNIO
public import HoldfastTrust
public import Metrics
public import Tracing

/// The configuration of a client. The client copies it, so later changes have no effect.
public struct TransportConfiguration: Sendable {
    /// The trust that verifies every server.
    public var trust: TrustContext
    /// The clock for certificate verification.
    public var clock: TrustClock
    /// The timeout for resolving the name and connecting. Thirty seconds by default.
    public var connectTimeout: Duration
    /// The timeout for the TLS handshake, including certificate verification. Thirty seconds by default.
    public var tlsTimeout: Duration
    /// The timeout for a proxy to connect to the server. Thirty seconds by default.
    public var proxyTimeout: Duration = .seconds(30)
    /// The HTTP versions to use. By default HTTP/2 if the server chooses it.
    public var httpVersions: HTTPVersions = .automatic
    /// The distribution of requests over HTTP/2 connections. By default, requests use the oldest connection with a free
    /// stream.
    public var http2Distribution: HTTP2Distribution = .oldestFirst
    /// The proxies to use. None by default; `try .environment()` returns those of the environment. ``trust`` verifies a
    /// server behind a proxy in the same way as without a proxy.
    public var proxies: ProxySelection = .none
    /// The trust anchors for a proxy that uses TLS. The system verification checks the proxy's certificate for the
    /// proxy's name.
    public var proxyAnchors: TrustAnchors = .system
    /// The certificate and key for servers that request client authentication (mTLS); never sent to a proxy. None by
    /// default.
    public var clientIdentity: ClientIdentity?
    /// A file to which the TLS secrets of every connection are appended, in the `SSLKEYLOGFILE` format. For debugging
    /// only.
    ///
    /// Anyone with this file can decrypt recorded traffic, so the client logs its use at `warning`. The file is
    /// readable only by its owner. The client never reads the `SSLKEYLOGFILE` environment variable. If the file cannot
    /// be written, every request fails with ``TransportError/Code-swift.struct/invalidConfiguration``.
    public var dangerouslyKeyLogFile: String?
    /// The time that an idle connection is kept for the next request. Thirty seconds by default; zero disables reuse. A
    /// shorter time in the server's `Keep-Alive: timeout=` takes precedence.
    public var keepAlive: Duration
    /// The maximum number of connections to one host and port. Eight by default; at least one. Further requests wait.
    public var maximumConnectionsPerHost: Int
    /// The limits for connections and for what a server may send.
    public var limits: TransportLimits
    /// Addresses or names to connect to in place of a host, for tests and demonstrations.
    ///
    /// TLS, the server name and trust still use the host of the URL. Keys are compared in canonical form. A key that is
    /// not a valid host makes every request fail with ``TransportError/Code-swift.struct/invalidURL``.
    public var hostOverrides: [String: String]
    /// Permits `http:` and `ws:` to hosts other than loopback. Anyone on the network path can read and change all data.
    public var dangerouslyAllowsCleartext: Bool
    /// Refuses connections to this machine and to local networks, also if a name resolves to such an address. Used for
    /// addresses from a certificate or a message. Hosts in ``hostOverrides`` and the address of a proxy are exempt.
    package var refusesLocalAddresses = false
    /// The factory for metrics. If `nil`, the client uses `MetricsSystem.factory` as set when the client is created.
    ///
    /// The no-op factory of swift-metrics disables all measurements. `docs/observability.md` lists every metric. No
    /// label contains a host.
    public var metrics: (any MetricsFactory)?
    /// The tracer for spans. If `nil`, the client uses `InstrumentationSystem.tracer` as set when the client is
    /// created.
    ///
    /// The trace context is sent to the origin of the request, but never to another origin after a redirect.
    public var tracer: (any Tracer)?

    /// Creates a configuration.
    public init(
        trust: TrustContext = .system(), clock: TrustClock = .system, connectTimeout: Duration = .seconds(30),
        tlsTimeout: Duration = .seconds(30), keepAlive: Duration = .seconds(30), maximumConnectionsPerHost: Int = 8,
        limits: TransportLimits = TransportLimits(), hostOverrides: [String: String] = [:],
        dangerouslyAllowsCleartext: Bool = false
    ) {
        self.trust = trust
        self.clock = clock
        self.connectTimeout = connectTimeout
        self.tlsTimeout = tlsTimeout
        self.keepAlive = keepAlive
        self.maximumConnectionsPerHost = maximumConnectionsPerHost
        self.limits = limits
        self.hostOverrides = hostOverrides
        self.dangerouslyAllowsCleartext = dangerouslyAllowsCleartext
    }
}

/// The HTTP versions that a client uses.
public struct HTTPVersions: Hashable, Sendable, CustomStringConvertible {
    private enum Choice: String {
        case automatic, http1Only, http2Only
    }

    private let choice: Choice

    /// HTTP/2 if the server chooses it by ALPN. HTTP/1.1 otherwise, and always without TLS.
    public static let automatic = HTTPVersions(choice: .automatic)
    /// Only HTTP/1.1.
    public static let http1Only = HTTPVersions(choice: .http1Only)
    /// Only HTTP/2.
    ///
    /// If the server does not choose it, the request fails with ``TransportError/Code-swift.struct/noCommonProtocol``.
    /// Without TLS, where cleartext is permitted, the client assumes that the server supports HTTP/2 ("prior
    /// knowledge", RFC 9113, 3.3).
    public static let http2Only = HTTPVersions(choice: .http2Only)

    /// The name of the choice.
    public var description: String { choice.rawValue }

    /// The protocols offered by ALPN, in order of preference.
    var applicationProtocols: [String] {
        switch choice {
        case .automatic: [Self.http2Name, Self.http1Name]
        case .http1Only: [Self.http1Name]
        case .http2Only: [Self.http2Name]
        }
    }

    /// Whether a connection without an ALPN result carries HTTP/2.
    var assumesHTTP2: Bool { choice == .http2Only }

    /// The ALPN name of HTTP/1.1.
    static let http1Name = "http/1.1"
    /// The ALPN name of HTTP/2 over TLS.
    static let http2Name = "h2"
}

/// The limits for what a server may send, and for the connections that a client opens and keeps.
public struct TransportLimits: Hashable, Sendable {
    /// The maximum size of a response head, including the status line, and of a trailer section, in bytes. 64 KiB by
    /// default: nginx and Apache send far less than the 8 KiB that they accept.
    ///
    /// - Error: `TransportError.Code.headTooLarge`
    public var headBytes = 64 * 1024
    /// The maximum number of header fields in a response. 200 by default, twice what common servers accept from
    /// clients; at most 65,534, the limit of `HTTPFields`.
    ///
    /// - Error: `TransportError.Code.tooManyFields`
    public var headerFields = 200 {
        didSet { headerFields = min(headerFields, 65_534) }
    }
    /// The maximum number of informational (1xx) responses before the final one. Ten by default; RFC 9110, 15.2 sets no
    /// limit.
    ///
    /// - Error: `TransportError.Code.tooManyInformationalResponses`
    public var informationalResponses = 10
    /// The maximum number of HTTP/2 frames without response data: PING, SETTINGS, WINDOW_UPDATE, RST_STREAM, empty DATA
    /// and unknown frames. 1000 by default.
    ///
    /// Each 4 KiB of traffic in either direction, and each response head, permits one additional frame. If the limit is
    /// exceeded, all requests on the connection fail with ``TransportError/Code-swift.struct/tooManyFrames``.
    ///
    /// - Error: `TransportError.Code.tooManyFrames`
    public var controlFrames = 1000

    /// The maximum number of connections of one client to all hosts, including dials in progress. 256 by default, a
    /// quarter of a process's default file descriptor limit.
    ///
    /// When all are in use, a new request closes an idle connection to another host, or waits.
    public var connections = 256
    /// The maximum number of requests that wait for a connection to one host and port. 1024 by default; further
    /// requests fail with ``TransportError/Code-swift.struct/tooManyWaiting``. ``RequestOptions/idleTimeout`` limits
    /// how long they wait.
    ///
    /// - Error: `TransportError.Code.tooManyWaiting`
    public var waitingRequests = 1024

    /// Creates the default limits.
    public init() {}
}
