package import HoldfastTrust

/// An origin of a server's pages: what a browser sends as `Origin`.
package struct WebOrigin: Hashable, Sendable, CustomStringConvertible {
    /// Whether the browser uses TLS.
    package var isSecure: Bool
    /// The host in canonical form.
    package var host: CanonicalHost
    /// The port.
    package var port: UInt16

    /// Creates an origin.
    package init(isSecure: Bool, host: CanonicalHost, port: UInt16) {
        self.isSecure = isSecure
        self.host = host
        self.port = port
    }

    /// Parses `https://host` or `http://host:port`. Returns `nil` for any other text, also for one with a path.
    package init?(_ text: some StringProtocol) {
        guard let colon = text.firstRange(of: "://") else { return nil }
        switch text[..<colon.lowerBound].lowercased() {
        case "https": isSecure = true
        case "http": isSecure = false
        default: return nil
        }
        guard let field = HostField(String(text[colon.upperBound...])) else { return nil }
        host = field.host
        port = field.port ?? (isSecure ? 443 : 80)
    }

    /// The text as in `Origin`, without the default port.
    package var description: String {
        let name = if case .ipv6 = host.kind { "[\(host.text)]" } else { host.text }
        let isDefault = port == (isSecure ? 443 : 80)
        return "\(isSecure ? "https" : "http")://\(name)\(isDefault ? "" : ":\(port)")"
    }
}
