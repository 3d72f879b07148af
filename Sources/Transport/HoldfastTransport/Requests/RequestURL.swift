package import HTTPTypes
package import HoldfastTrust

/// An `http:`, `https:`, `ws:` or `wss:` URL, split into the parts of a request, with a canonical host.
package struct RequestURL: Hashable, Sendable {
    /// The scheme of a URL that the clients support.
    package enum Scheme: String, Hashable, Sendable, CaseIterable {
        case http, https, ws, wss

        /// Whether the scheme requires TLS.
        package var isSecure: Bool { self == .https || self == .wss }

        /// The port if the URL contains none.
        package var defaultPort: UInt16 { isSecure ? 443 : 80 }
    }

    /// The scheme.
    package var scheme: Scheme
    /// The host, in canonical form.
    package var host: CanonicalHost
    /// The port, or the scheme's default if the URL contains none.
    package var port: UInt16
    /// The path and query as sent: they start with a slash, or are `*`.
    package var target: String

    /// Parses an absolute URL.
    ///
    /// User information and characters that a request line must not contain are refused. The fragment is dropped (RFC
    /// 9110, 7.1).
    package init(_ text: String) throws(TransportError) {
        guard let colon = text.firstRange(of: "://") else {
            throw Self.invalid("The URL has no scheme and host.")
        }
        let rest = text[colon.upperBound...]
        let authorityEnd = rest.firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? rest.endIndex
        var target = rest[authorityEnd...].prefix { $0 != "#" }
        if target.first == "?" { target = "/" + target }
        try self.init(
            scheme: String(text[..<colon.lowerBound]), authority: String(rest[..<authorityEnd]), path: String(target))
    }

    /// Creates a URL from the parts of an `HTTPRequest`.
    package init(scheme: String?, authority: String?, path: String?) throws(TransportError) {
        guard let scheme = Scheme(rawValue: (scheme ?? "").lowercased()) else {
            throw Self.invalid("The scheme \"\(scheme ?? "")\" is not http, https, ws or wss.")
        }
        guard let authority, !authority.isEmpty else {
            throw Self.invalid("The URL has no host.")
        }
        // User information is a credential that logs would expose, and can disguise the real host.
        guard !authority.contains("@") else {
            throw Self.invalid("The URL contains user information.")
        }
        let (name, port) = try Self.split(authority)
        do throws(HostError) {
            self.host = try CanonicalHost(name)
        } catch {
            throw Self.invalid("The host cannot be used: \(error.reason)")
        }
        self.scheme = scheme
        self.port = port ?? scheme.defaultPort
        self.target = try Self.target(path)
    }

    /// Creates a URL from a request.
    package init(_ request: HTTPRequest) throws(TransportError) {
        try self.init(scheme: request.scheme, authority: request.authority, path: request.path)
    }

    /// Returns a request for this URL.
    package func request(_ method: HTTPRequest.Method, _ fields: HTTPFields = [:]) -> HTTPRequest {
        HTTPRequest(method: method, scheme: scheme.rawValue, authority: authority, path: target, headerFields: fields)
    }

    /// Returns the URL of another path on the same server.
    func with(path: String?) throws(TransportError) -> RequestURL {
        var url = self
        url.target = try Self.target(path)
        return url
    }

    /// The value of the `Host` field: with a port only if it is not the scheme's default, and with brackets around an
    /// IPv6 address.
    package var authority: String {
        let name = if case .ipv6 = host.kind { "[\(host.text)]" } else { host.text }
        return port == scheme.defaultPort ? name : "\(name):\(port)"
    }

    /// The complete URL in canonical form.
    var text: String { "\(scheme.rawValue)://\(authority)\(target)" }

    /// Returns the connection target for this URL. With TLS, it offers `alpn`.
    package func dialTarget(alpn: [String], variation: DialVariation? = nil) -> DialTarget {
        DialTarget(
            host: host, port: port, security: scheme.isSecure ? .tls(alpn: alpn) : .plain, variation: variation)
    }

    /// Throws `invalidURL` if the scheme is not `http` or `https`.
    func requireHTTP() throws(TransportError) {
        guard scheme == .http || scheme == .https else {
            throw Self.invalid("The scheme \(scheme.rawValue): is not http: or https:.")
        }
    }

    private static func target(_ path: String?) throws(TransportError) -> String {
        let target = path.flatMap { $0.isEmpty ? nil : $0 } ?? "/"
        guard target.utf8.first == UInt8(ascii: "/") || target == "*" else {
            throw invalid("The path does not begin with a slash.")
        }
        // A space or a line break would end the request line early (RFC 9112, 11.1). A fragment is not permitted
        // (3.2.1), and servers differ about where the path then ends.
        guard target.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") }) else {
            throw invalid("The path contains a character that must be percent-encoded.")
        }
        return target
    }

    private static func split(_ authority: String) throws(TransportError) -> (name: String, port: UInt16?) {
        var name = Substring(authority)
        var digits: Substring = ""
        if let bracket = authority.lastIndex(of: "]") {
            let after = authority[authority.index(after: bracket)...]
            guard after.isEmpty || after.first == ":" else { throw invalid("The host is malformed.") }
            name = authority[...bracket]
            digits = after.dropFirst()
        } else if let colon = authority.lastIndex(of: ":") {
            name = authority[..<colon]
            // Without brackets, the end of the address and the start of the port are ambiguous (RFC 3986, 3.2.2).
            guard !name.contains(":") else { throw invalid("An IPv6 address must be in brackets.") }
            digits = authority[authority.index(after: colon)...]
        }
        if digits.isEmpty { return (String(name), nil) }
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(digits), port > 0 else {
            throw invalid("The port is not a number from 1 to 65535.")
        }
        return (String(name), port)
    }

    private static func invalid(_ reason: String) -> TransportError {
        TransportError(.invalidURL, in: .preparing, reason)
    }
}
