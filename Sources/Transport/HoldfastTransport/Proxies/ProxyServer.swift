public import HoldfastTrust

/// A proxy server and its protocol.
///
/// Every connection is a tunnel. Also for `http:` and `ws:`, the client asks the proxy to connect and never to forward
/// a request. The proxy therefore sees no request, and no server sees the proxy's credentials.
public struct ProxyServer: Hashable, Sendable, CustomStringConvertible {
    /// The protocol of a proxy.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// HTTP `CONNECT` (RFC 9110, 9.3.6) without TLS. Anyone on the network path to the proxy can read the
        /// credentials.
        case http
        /// HTTP `CONNECT` inside TLS. The system verification checks the proxy's certificate for the proxy's name; pins
        /// do not apply.
        case https
        /// SOCKS5 (RFC 1928) without TLS. The proxy resolves names.
        case socks5

        /// The port if the address contains none.
        public var defaultPort: UInt16 {
            switch self {
            case .http: 80
            case .https: 443
            case .socks5: 1080
            }
        }
    }

    /// The protocol of the proxy.
    public let kind: Kind
    /// The proxy's host.
    public let host: CanonicalHost
    /// The proxy's port.
    public let port: UInt16
    /// The credentials for the proxy, or `nil` for none.
    ///
    /// HTTP proxies receive them as Basic authentication (RFC 7617) with the first request. SOCKS5 proxies receive them
    /// on request (RFC 1929).
    public let credentials: ProxyCredentials?

    /// Creates a proxy.
    ///
    /// - Throws: ``ProxyError`` if this kind of proxy cannot accept the credentials: a user name with a colon for HTTP,
    ///   or a user name or password that is empty or longer than 255 bytes for SOCKS5.
    public init(
        _ kind: Kind, host: CanonicalHost, port: UInt16? = nil, credentials: ProxyCredentials? = nil
    ) throws(ProxyError) {
        try credentials?.check(for: kind)
        self.kind = kind
        self.host = host
        self.port = port ?? kind.defaultPort
        self.credentials = credentials
    }

    /// Parses an address in the format of `HTTPS_PROXY`: `http://user:password@proxy.example.com:3128`.
    ///
    /// The schemes are `http` (the default), `https`, `socks5`, `socks5h` and `socks`. The last three are equivalent:
    /// the proxy resolves names. SOCKS4 is not supported.
    ///
    /// - Throws: ``ProxyError`` for an unknown scheme, a path other than `/`, a query or a fragment.
    public init(_ address: String) throws(ProxyError) {
        var kind = Kind.http
        var rest = Substring(address)
        if let mark = address.firstRange(of: "://") {
            switch address[..<mark.lowerBound].asciiLowercased {
            case "http": kind = .http
            case "https": kind = .https
            case "socks5", "socks5h", "socks": kind = .socks5
            default: throw ProxyError(.address, "The proxy's scheme is not http, https, socks5 or socks5h.")
            }
            rest = address[mark.upperBound...]
        }
        if rest.last == "/" { rest = rest.dropLast() }
        var credentials: ProxyCredentials?
        if let at = rest.lastIndex(of: "@") {
            credentials = try Self.credentials(rest[..<at])
            rest = rest[rest.index(after: at)...]
        }
        guard !rest.contains(where: { "/?#\\".contains($0) }) else {
            throw ProxyError(.address, "The proxy's address must not have a path, query or fragment.")
        }
        let (name, port) = try Self.split(rest)
        let host: CanonicalHost
        do throws(HostError) {
            host = try CanonicalHost(String(name))
        } catch {
            throw ProxyError(.address, "The host of the proxy cannot be used (\(error.code.rawValue)).")
        }
        try self.init(kind, host: host, port: port, credentials: credentials)
    }

    /// The address without the credentials.
    public var description: String { "\(kind.rawValue)://\(authority)" }

    /// The host and port, with brackets around an IPv6 address.
    var authority: String { Self.authority(host, port) }

    static func authority(_ host: CanonicalHost, _ port: UInt16) -> String {
        if case .ipv6 = host.kind { "[\(host.text)]:\(port)" } else { "\(host.text):\(port)" }
    }

    private static func credentials(_ text: Substring) throws(ProxyError) -> ProxyCredentials {
        let colon = text.firstIndex(of: ":")
        let user = text[..<(colon ?? text.endIndex)]
        let password = colon.map { text[text.index(after: $0)...] } ?? ""
        return ProxyCredentials(user: try decode(user), password: try decode(password))
    }

    /// Decodes percent-encoding once (RFC 3986, 2.1).
    private static func decode(_ text: Substring) throws(ProxyError) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = rest.prefix(2).compactMap { Character(UnicodeScalar($0)).hexDigitValue }
            guard digits.count == 2 else {
                throw ProxyError(
                    .credentials, "A % in the user name or the password is not followed by two hexadecimal digits.")
            }
            bytes.append(UInt8(digits[0] << 4 | digits[1]))
            rest = rest.dropFirst(2)
        }
        guard let decoded = String(validating: bytes, as: UTF8.self) else {
            throw ProxyError(.credentials, "The user name or the password is not valid UTF-8.")
        }
        return decoded
    }

    private static func split(_ text: Substring) throws(ProxyError) -> (name: Substring, port: UInt16?) {
        let after = text.lastIndex(of: "]").map(text.index(after:)) ?? text.startIndex
        guard let colon = text[after...].lastIndex(of: ":") else { return (text, nil) }
        let digits = text[text.index(after: colon)...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(digits),
            port > 0
        else {
            throw ProxyError(.address, "The port of the proxy is not a number from 1 to 65535.")
        }
        return (text[..<colon], port)
    }
}

/// A user name and a password for a proxy.
///
/// The client sends them only to the proxy, never to a server behind it. No description contains them.
public struct ProxyCredentials: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The user name.
    let user: String
    /// The password.
    let password: String

    /// Creates credentials. Creating a ``ProxyServer`` checks whether its kind of proxy can accept them: see
    /// ``ProxyServer/init(_:host:port:credentials:)``.
    public init(user: String, password: String) {
        self.user = user
        self.password = password
    }

    /// A placeholder without the credentials.
    public var description: String { "<proxy credentials>" }
    /// A placeholder without the credentials.
    public var debugDescription: String { description }
    /// An empty mirror, so that reflection does not expose the credentials.
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// The value of `Proxy-Authorization` (RFC 7617, 2, in UTF-8).
    var basic: String { "Basic " + "\(user):\(password)".utf8.base64 }

    /// Throws ``ProxyError`` if a proxy of this kind cannot accept the credentials.
    func check(for kind: ProxyServer.Kind) throws(ProxyError) {
        switch kind {
        case .http, .https:
            guard !user.contains(":") else {
                throw ProxyError(
                    .credentials, "The user name contains a colon, which Basic authentication does not permit.")
            }
            guard (user + password).unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
                throw ProxyError(.credentials, "The user name or the password contains a control character.")
            }
            guard user.utf8.count + password.utf8.count <= 4_096 else {
                throw ProxyError(.credentials, "The user name and the password together exceed 4096 bytes.")
            }
        case .socks5:
            guard (1...255).contains(user.utf8.count), (1...255).contains(password.utf8.count) else {
                throw ProxyError(
                    .credentials, "SOCKS5 requires a user name and a password of 1 to 255 bytes (RFC 1929, 2).")
            }
        }
    }
}

/// The reason why a proxy, its credentials or an exception cannot be used as configured. No connection was attempted.
///
/// - Remedy: Correct the configuration that the reason names.
public struct ProxyError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The stable name of a kind of failure, safe as a metric label.
    ///
    /// The set may grow, so handle unknown values when comparing with the constants.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The stable name.
        public let rawValue: String
        /// Creates a value from its stable name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The stable name.
        public var description: String { rawValue }

        /// The address of the proxy has an unknown scheme, an unusable host or port, or parts that a proxy address must
        /// not have.
        public static let address = Code(rawValue: "address")
        /// The user name or the password cannot be sent by the proxy's authentication method.
        public static let credentials = Code(rawValue: "credentials")
        /// An entry of a `NO_PROXY` list is neither a host, a domain, an address nor a network.
        public static let exception = Code(rawValue: "exception")
    }

    /// The kind of failure.
    public var code: Code
    /// A human-readable sentence. It never contains a credential and therefore does not quote the address.
    public var reason: String

    /// Creates an error.
    public init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    /// The code and the reason.
    public var description: String { "\(code.rawValue): \(reason)" }
}
