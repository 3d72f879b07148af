import HTTPTypes
import HoldfastTrust

/// An origin of the page: what a browser sends as `Origin`.
struct PageOrigin: Hashable, Sendable, CustomStringConvertible {
    /// Whether the browser uses TLS.
    var isSecure: Bool
    /// The host in canonical form.
    var host: CanonicalHost
    /// The port.
    var port: UInt16

    /// Creates an origin.
    init(isSecure: Bool, host: CanonicalHost, port: UInt16) {
        self.isSecure = isSecure
        self.host = host
        self.port = port
    }

    /// Parses `https://host` or `http://host:port`. Returns `nil` for any other text, also for one with a path.
    init?(_ text: some StringProtocol) {
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
    var description: String {
        let name = if case .ipv6 = host.kind { "[\(host.text)]" } else { host.text }
        let isDefault = port == (isSecure ? 443 : 80)
        return "\(isSecure ? "https" : "http")://\(name)\(isDefault ? "" : ":\(port)")"
    }
}

/// The origins under which browsers may reach the server.
///
/// A web page can reach a server on loopback under its own host name if that name resolves to a loopback address (DNS
/// rebinding). Such a page is of the same origin as the server, so that only the `Host` field shows the attack.
struct PageOrigins: Sendable {
    private let listed: [PageOrigin]
    private let isSecure: Bool

    /// Allows only these origins, or without any, the loopback names and addresses.
    ///
    /// - Parameter isSecure: Whether the server itself uses TLS. Decides only without listed origins.
    init(listed: [PageOrigin], isSecure: Bool) {
        self.listed = listed
        self.isSecure = isSecure
    }

    /// Returns the origin of a request; `nil` if the server does not serve it.
    ///
    /// - Parameters:
    ///   - authority: The first `Host` field.
    ///   - fields: The other fields. A second `Host` is refused (RFC 9112, 3.2).
    func origin(of authority: String?, _ fields: HTTPFields = [:]) -> PageOrigin? {
        guard !HostField.isRepeated(among: fields.lazy.map(\.name.rawName)) else { return nil }
        guard let field = authority.flatMap({ HostField($0) }) else { return nil }
        guard listed.isEmpty else {
            return listed.first { $0.host == field.host && $0.port == field.port ?? ($0.isSecure ? 443 : 80) }
        }
        // Another port is a forwarded one, as of a container.
        guard field.host.isLoopback else { return nil }
        return PageOrigin(isSecure: isSecure, host: field.host, port: field.port ?? (isSecure ? 443 : 80))
    }
}
