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
    /// The maximum number of connections to one host and port. Eight by default; at least one.
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
