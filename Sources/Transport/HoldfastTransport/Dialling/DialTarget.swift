package import HoldfastTrust

/// The target of a connection. It contains no closures, because it is also the key of the connection pool.
package struct DialTarget: Hashable, Sendable {
    /// The protection of a connection.
    package enum Security: Hashable, Sendable {
        /// No protection. The dialler refuses it for hosts other than loopback unless configured otherwise.
        case plain
        /// TLS, offering these application protocols.
        case tls(alpn: [String])
    }

    /// The host from the URL. TLS, the server name and trust use it, whatever address is connected.
    package var host: CanonicalHost
    /// The TCP port.
    package var port: UInt16
    /// The protection of the connection.
    package var security: Security
    /// The choices of a single request; `nil` for the client's configuration.
    package var variation: DialVariation?

    package init(host: CanonicalHost, port: UInt16, security: Security, variation: DialVariation? = nil) {
        self.host = host
        self.port = port
        self.security = security
        self.variation = variation
    }

    /// The port to connect to. Trust uses ``port``, the port of the URL.
    var connectPort: UInt16 { variation?.address?.port ?? port }

    /// Whether the connection uses TLS.
    package var isSecure: Bool { security != .plain }
}
