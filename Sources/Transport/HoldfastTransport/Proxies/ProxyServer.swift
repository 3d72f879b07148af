public import HoldfastTrust

/// A proxy, and how to talk to it.
///
/// Every connection is a tunnel: also for `http:` and `ws:` the proxy is asked to connect, never to forward a request,
/// so it sees no request, and no server sees the proxy's credentials.
public struct ProxyServer: Hashable, Sendable, CustomStringConvertible {
    /// How to talk to a proxy.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// HTTP `CONNECT` (RFC 9110, 9.3.6), in the clear up to the proxy: whoever listens there reads the credentials.
        case http
        /// HTTP `CONNECT` inside TLS. The proxy is judged by the system verification for its own name, never by pins.
        case https
        /// SOCKS5 (RFC 1928), in the clear up to the proxy. Names are resolved by the proxy, not here.
        case socks5

        /// The port where an address names none.
        public var defaultPort: UInt16 {
            switch self {
            case .http: 80
            case .https: 443
            case .socks5: 1080
            }
        }
    }

    /// How to talk to it.
    public let kind: Kind
    /// Its host.
    public let host: CanonicalHost
    /// Its port.
    public let port: UInt16
    /// What it is told about who wants to pass; `nil`: nothing. HTTP proxies get it as Basic (RFC 7617), with the first
    /// request; SOCKS5 proxies by RFC 1929, if they ask.
    public let credentials: ProxyCredentials?

    /// Makes a proxy. Throws ``ProxyError`` for credentials that a proxy of this kind cannot be told: a name with a colon
    /// for HTTP, more than 255 bytes or none for SOCKS5.
    public init(
        _ kind: Kind, host: CanonicalHost, port: UInt16? = nil, credentials: ProxyCredentials? = nil
    ) throws(ProxyError) {
        try credentials?.check(for: kind)
        self.kind = kind
        self.host = host
        self.port = port ?? kind.defaultPort
        self.credentials = credentials
    }

    /// Reads an address as it stands in `HTTPS_PROXY`: `http://user:password@proxy.example.com:3128`. Schemes: `http`,
    /// `https`, `socks5`, `socks5h`, `socks` (the last three mean the same: names are resolved remotely); none means `http`. A
    /// path other than `/`, a query or a fragment is refused, and so is SOCKS4. Throws ``ProxyError``.
    public init(_ address: String) throws(ProxyError) {
        var kind = Kind.http
        var rest = Substring(address)
        if let mark = address.firstRange(of: "://") {
            switch address[..<mark.lowerBound].asciiLowercased {
            case "http": kind = .http
            case "https": kind = .https
            case "socks5", "socks5h", "socks": kind = .socks5
            default: throw ProxyError(.address, "The scheme is none of http, https, socks5, socks5h.")
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
            throw ProxyError(.address, "The address of a proxy has no path, query or fragment.")
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

    /// Host and port, brackets around IPv6.
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

    /// Percent-decoding, once (RFC 3986, 2.1).
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
                throw ProxyError(.credentials, "A % in the name or the password is not followed by two digits.")
            }
            bytes.append(UInt8(digits[0] << 4 | digits[1]))
            rest = rest.dropFirst(2)
        }
        guard let decoded = String(validating: bytes, as: UTF8.self) else {
            throw ProxyError(.credentials, "The name or the password is not UTF-8.")
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
