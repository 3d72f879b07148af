package import HoldfastTrust

/// An `http:`, `https:`, `ws:` or `wss:` URL, split into what a request needs, its host canonical.
package struct RequestURL: Hashable, Sendable {
    /// The scheme of a URL that a client of Holdfast can follow.
    package enum Scheme: String, Hashable, Sendable, CaseIterable {
        case http, https, ws, wss

        /// Whether the scheme asks for TLS.
        package var isSecure: Bool { self == .https || self == .wss }

        /// The port where the URL names none.
        package var defaultPort: UInt16 { isSecure ? 443 : 80 }
    }

    /// The scheme.
    package var scheme: Scheme
    /// The host, in canonical form.
    package var host: CanonicalHost
    /// The port, the scheme's own where the URL names none.
    package var port: UInt16
    /// Path and query as they are sent, beginning with a slash (or `*` alone).
    package var target: String

    /// Reads an absolute URL. Refuses user information, and every character that has no place in a request line.
    package init(_ text: String) throws(TransportError) {
        throw TransportError(.invalidURL, in: .preparing, "stub")  // STUB
    }

    /// Takes the parts that an `HTTPRequest` has.
    package init(scheme: String?, authority: String?, path: String?) throws(TransportError) {
        throw TransportError(.invalidURL, in: .preparing, "stub")  // STUB
    }

    /// What the `Host` field says: the port only where it is not the scheme's own, brackets around IPv6.
    package var authority: String {
        let name = if case .ipv6 = host.kind { "[\(host.text)]" } else { host.text }
        return port == scheme.defaultPort ? name : "\(name):\(port)"
    }

    /// Whom to dial for this URL, offering `alpn` where TLS is used.
    package func dialTarget(alpn: [String]) -> DialTarget {
        DialTarget(host: host, port: port, security: scheme.isSecure ? .tls(alpn: alpn) : .plain)
    }
}
