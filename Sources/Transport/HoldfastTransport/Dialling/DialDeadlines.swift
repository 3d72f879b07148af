/// How long the phases of a dial may take, each counted from its own start.
package struct DialDeadlines: Hashable, Sendable {
    /// Resolving and connecting, to the proxy where there is one.
    package var connect: Duration
    /// The TLS handshake, verification included.
    package var tls: Duration

    /// The proxy's answer. TLS to the proxy has ``tls`` for itself.
    package var proxy: Duration

    /// `proxy` is as long as `connect` unless it is given.
    package init(connect: Duration, tls: Duration, proxy: Duration? = nil) {
        self.connect = connect
        self.tls = tls
        self.proxy = proxy ?? connect
    }

    /// The deadlines of a configuration. No phase outlasts `limit`, the idle time-out of the request that the dial is for.
    init(_ configuration: TransportConfiguration, limit: Duration) {
        self.init(
            connect: min(configuration.connectTimeout, limit), tls: min(configuration.tlsTimeout, limit),
            proxy: min(configuration.proxyTimeout, limit))
    }
}
