package import HoldfastTrust

/// Whom to dial. A value without closures: it is the key of the connection pool, too.
package struct DialTarget: Hashable, Sendable {
    /// How the connection is protected.
    package enum Security: Hashable, Sendable {
        /// Not at all. The dialler refuses it off the loopback unless told otherwise.
        case plain
        /// By TLS, offering these application protocols.
        case tls(alpn: [String])
    }

    /// The host from the URL. TLS, server name and trust use it whatever address is dialled for it.
    package var host: CanonicalHost
    /// The TCP port.
    package var port: UInt16
    /// How the connection is protected.
    package var security: Security

    package init(host: CanonicalHost, port: UInt16, security: Security) {
        self.host = host
        self.port = port
        self.security = security
    }

    /// Whether the connection is protected by TLS.
    package var isSecure: Bool { security != .plain }
}
