public import HoldfastNIO
public import HoldfastTrust
public import Metrics
public import Tracing

/// What a client needs to know before it opens its first connection. Copied by the client: later changes have no effect.
public struct TransportConfiguration: Sendable {
    /// What judges every server.
    public var trust: TrustContext
    /// Where the time of a judgement comes from.
    public var clock: TrustClock
    /// How long resolving and connecting may take. Thirty seconds by default.
    public var connectTimeout: Duration
    /// How long the TLS handshake may take, verification included. Thirty seconds by default.
    public var tlsTimeout: Duration
    /// How long a proxy may take to connect to the server. Thirty seconds by default.
    public var proxyTimeout: Duration = .seconds(30)
    /// The versions of HTTP that are spoken. HTTP/2 where the server chooses it by default.
    public var httpVersions: HTTPVersions = .automatic
    /// Which connections go through which proxy. None by default; `try .environment()` is the way to those of the
    /// environment. ``trust`` judges the server behind a proxy as it would without.
    public var proxies: ProxySelection = .none
    /// The anchors of the system verification that judges a proxy to which TLS is used, for the proxy's own name.
    public var proxyAnchors: TrustAnchors = .system
    /// The certificate and key that are shown to servers that ask for them (mTLS), never to a proxy. None by default.
    public var clientIdentity: ClientIdentity?
    /// A file to which the secrets of every connection are appended, in the format of `SSLKEYLOGFILE`: whoever has it
    /// can read what was recorded. For debugging alone; logged at `warning`. The environment variable of that name is
    /// never looked at. The file is made readable for its owner alone; if it cannot be written, every request fails with
    /// ``TransportError/Code-swift.struct/invalidConfiguration``.
    public var dangerouslyKeyLogFile: String?
    /// How long an idle connection is kept for the next request. Thirty seconds by default. A shorter time that the
    /// server announces in `Keep-Alive: timeout=` is honoured. Zero: connections are not reused.
    public var keepAlive: Duration
    /// The most connections to one host and port at a time. Eight by default; at least one.
    public var maximumConnectionsPerHost: Int
    /// The limits on what a server may send.
    public var limits: TransportLimits
    /// Addresses (or names) to dial in place of a host: for tests and demonstrations. TLS, server name and trust still
    /// use the host of the URL. The keys are compared in canonical form; one that is no host matches nothing and makes
    /// every request fail with ``TransportError/Code-swift.struct/invalidURL``.
    public var hostOverrides: [String: String]
    /// Allows `http:` and `ws:` to hosts other than the loopback: anyone on the way can read and change everything.
    public var dangerouslyAllowsCleartext: Bool
    /// Refuses connections to this machine and to local networks, also if a name leads there: for addresses that a
    /// certificate or a message gave. Hosts in ``hostOverrides`` and the address of a proxy are exempt.
    package var refusesLocalAddresses = false
    /// Where metrics go; `nil`: to the process-wide `MetricsSystem.factory`, as it is when the client is made. Nothing is
    /// measured where that is swift-metrics' no-op. `docs/observability.md` lists every metric; no label holds a host.
    public var metrics: (any MetricsFactory)?
    /// Where spans go; `nil`: to the process-wide `InstrumentationSystem.tracer`, as it is when the client is made. Its
    /// context is sent along to the origin of the request, never to the foreign origin that a redirect leads to.
    public var tracer: (any Tracer)?

    /// Makes a configuration.
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
