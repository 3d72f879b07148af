import HoldfastTransport
import HoldfastTrust
import Testing

/// Tables of which proxy is used, and which addresses are valid.
@Suite struct ProxyRuleTests {
    @Test(arguments: [
        ("proxy.example.com:3128", "http://proxy.example.com:3128"),
        ("http://Proxy.Example.com.", "http://proxy.example.com:80"),
        ("HTTPS://proxy.example.com/", "https://proxy.example.com:443"),
        ("socks5h://[::1]", "socks5://[::1]:1080"),
        ("socks5://user:pass@10.0.0.1:9", "socks5://10.0.0.1:9"),
        ("http://us%40er:p%3Aw@p.example:8080", "http://p.example:8080"),
        ("http://user@p.example", "http://p.example:80"),
    ])
    func anAddressIsParsed(text: String, shown: String) throws {
        let server = try ProxyServer(text)
        #expect(server.description == shown)
        #expect((server.credentials != nil) == text.contains("@"))
    }

    @Test(arguments: [
        ("", ProxyError.Code.address), ("ftp://p.example", .address), ("socks4://p.example", .address),
        ("http://p.example/path", .address), ("http://p.example?x", .address), ("http://p.example:0", .address),
        ("http://p.example:99999", .address), ("http://p.example:", .address), ("http://", .address),
        ("http://a..b", .address), ("http://us%3Aer:x@p.example", .credentials),
        ("http://a%:x@p.example", .credentials),
        ("http://a%0d%0aX:x@p.example", .credentials), ("http://%ff:x@p.example", .credentials),
        ("socks5://user@p.example", .credentials), ("socks5://:pass@p.example", .credentials),
    ])
    func anAddressIsRefused(text: String, code: ProxyError.Code) {
        let error = #expect(throws: ProxyError.self) { try ProxyServer(text) }
        #expect(error?.code == code)
    }

    @Test func theLengthOfCredentialsIsLimited() throws {
        let long = String(repeating: "x", count: 256)
        let host = try CanonicalHost("p.example")
        _ = try ProxyServer(.socks5, host: host, credentials: .init(user: String(long.dropLast()), password: "p"))
        #expect(throws: ProxyError.self) {
            try ProxyServer(.socks5, host: host, credentials: .init(user: long, password: "p"))
        }
        #expect(throws: ProxyError.self) {
            try ProxyServer(
                .http, host: host, credentials: .init(user: String(repeating: "x", count: 4_097), password: ""))
        }
    }

    /// No printed, dumped or thrown value contains the credentials.
    @Test func credentialsAreNeverShown() throws {
        let server = try ProxyServer("http://somebody:hunter2@p.example")
        var dumped = ""
        dump(server, to: &dumped)
        dump(ProxySelection.server(server), to: &dumped)
        let all = "\(server) \(String(reflecting: server)) \(server.credentials as Any) \(dumped)"
        #expect(!all.contains("hunter2"))
        #expect(!all.contains("somebody"))
        let error = #expect(throws: ProxyError.self) { try ProxyServer("http://hun:ter2@p.example:port") }
        #expect(error.map { "\($0)".contains("ter2") } == false)
    }

    static let exceptionTable: [(list: String, host: String, port: UInt16, isDirect: Bool)] = [
        ("", "example.com", 443, false),
        ("*", "example.com", 443, true),
        ("example.com", "example.com", 443, true),
        ("example.com", "a.b.example.com", 443, true),
        ("example.com", "notexample.com", 443, false),
        ("example.com", "example.com.evil.com", 443, false),
        (".example.com", "example.com", 443, false),
        (".example.com", "a.example.com", 443, true),
        ("*.example.com", "a.example.com", 443, true),
        ("*.example.com", "example.com", 443, false),
        ("EXAMPLE.com.", "example.com", 443, true),
        ("other.com, example.com", "example.com", 443, true),
        ("other.com example.com", "example.com", 443, true),
        ("example.com:8443", "example.com", 443, false),
        ("example.com:8443", "example.com", 8443, true),
        ("192.0.2.7", "192.0.2.7", 443, true),
        ("192.0.2.7", "192.0.2.8", 443, false),
        ("10.0.0.0/8", "10.255.1.1", 443, true),
        ("10.0.0.0/8", "11.0.0.1", 443, false),
        ("10.0.0.0/9", "10.128.0.1", 443, false),
        ("0.0.0.0/0", "203.0.113.9", 443, true),
        ("0.0.0.0/0", "2001:db8::1", 443, false),
        ("2001:db8::/33", "2001:db8:7fff::1", 443, true),
        ("2001:db8::/33", "2001:db8:8000::1", 443, false),
        ("[2001:db8::7]:8443", "2001:db8::7", 8443, true),
        ("[2001:db8::7]:8443", "2001:db8::7", 443, false),
        ("2001:db8::7", "2001:db8::7", 443, true),
        ("10.0.0.0/8", "10.example.com", 443, false),
    ]

    @Test(arguments: exceptionTable)
    func exceptions(row: (list: String, host: String, port: UInt16, isDirect: Bool)) throws {
        let exceptions = try ProxyExceptions(row.list)
        #expect(try exceptions.contains(CanonicalHost(row.host), port: row.port) == row.isDirect)
    }

    @Test(arguments: [
        "exa mple..com", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/x", "example.com/8", "fd00::/129", "example.com:0",
        "example.com:x", "example.com:+80", "example.com:", ".10.0.0.1", "[::1", "**", "a,b..c",
    ])
    func anExceptionIsRefused(list: String) {
        let error = #expect(throws: ProxyError.self) { try ProxyExceptions(list) }
        #expect(error?.code == .exception)
    }

    struct Environment: Sendable, CustomStringConvertible {
        var variables: [String: String]
        var secure: String?
        var cleartext: String?
        var description: String { "\(variables.sorted { $0.key < $1.key })" }
    }

    static let environments: [Environment] = [
        Environment(variables: [:]),
        Environment(variables: ["HTTPS_PROXY": "http://p:1"], secure: "http://p:1"),
        Environment(variables: ["https_proxy": "http://p:1", "HTTPS_PROXY": "http://q:1"], secure: "http://p:1"),
        Environment(variables: ["https_proxy": "", "HTTPS_PROXY": "http://q:1"], secure: "http://q:1"),
        Environment(variables: ["HTTP_PROXY": "http://p:1"], cleartext: "http://p:1"),
        Environment(variables: ["HTTP_PROXY": "http://p:1", "REQUEST_METHOD": "GET"]),
        Environment(variables: ["HTTP_PROXY": "http://p:1", "REQUEST_METHOD": ""]),
        Environment(variables: ["http_proxy": "http://p:1", "REQUEST_METHOD": "GET"], cleartext: "http://p:1"),
        Environment(
            variables: ["ALL_PROXY": "socks5://s:1", "HTTPS_PROXY": "http://p:1", "REQUEST_METHOD": "GET"],
            secure: "http://p:1", cleartext: "socks5://s:1"),
        Environment(variables: ["all_proxy": "p:1"], secure: "http://p:1", cleartext: "http://p:1"),
        Environment(variables: ["ALL_PROXY": "p:1", "NO_PROXY": "example.com"]),
        Environment(
            variables: ["ALL_PROXY": "p:1", "no_proxy": "other.com", "NO_PROXY": "*"], secure: "http://p:1",
            cleartext: "http://p:1"),
    ]

    @Test(arguments: environments)
    func theEnvironment(row: Environment) throws {
        let selection = try ProxySelection.environment(row.variables)
        let host = try CanonicalHost("example.com")
        #expect(selection.proxy(for: host, port: 443, isSecure: true)?.description == row.secure)
        #expect(selection.proxy(for: host, port: 80, isSecure: false)?.description == row.cleartext)
        for local in ["localhost", "a.localhost", "127.0.0.1", "::1"] {
            #expect(try selection.proxy(for: CanonicalHost(local), port: 443, isSecure: true) == nil)
        }
    }

    @Test func anInvalidEnvironmentIsAnErrorWithTheVariablesName() {
        for (name, value) in [("HTTPS_PROXY", "socks4://x"), ("no_proxy", "a..b"), ("ALL_PROXY", "http://x/y")] {
            let error = #expect(throws: ProxyError.self) { try ProxySelection.environment([name: value]) }
            #expect(error?.reason.hasPrefix(name) == true)
        }
    }

    @Test func theEnvironmentIsReadOnlyIfRequested() throws {
        #expect(TransportConfiguration().proxies == .none)
    }
}
