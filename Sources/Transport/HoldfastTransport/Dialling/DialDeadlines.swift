/// The timeouts for the phases of a dial, each measured from the start of its phase.
package struct DialDeadlines: Hashable, Sendable {
    /// The timeout for resolving and connecting, to the proxy if there is one.
    package var connect: Duration
    /// The timeout for the TLS handshake, including verification.
    package var tls: Duration

    /// The timeout for the proxy's response. ``tls`` applies separately to TLS with the proxy.
    package var proxy: Duration

    /// Creates timeouts. `proxy` defaults to `connect`.
    package init(connect: Duration, tls: Duration, proxy: Duration? = nil) {
        self.connect = connect
        self.tls = tls
        self.proxy = proxy ?? connect
    }

    /// Creates the timeouts of a configuration, each limited to `limit`, the idle timeout of the request.
    init(_ configuration: TransportConfiguration, limit: Duration) {
        self.init(
            connect: min(configuration.connectTimeout, limit), tls: min(configuration.tlsTimeout, limit),
            proxy: min(configuration.proxyTimeout, limit))
    }
}
