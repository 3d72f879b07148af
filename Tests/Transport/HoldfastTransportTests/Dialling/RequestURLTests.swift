import HoldfastTransport
import HoldfastTrust
import Testing

/// One set of rules for parsing URLs.
@Suite struct RequestURLTests {
    @Test(arguments: [
        ("https://Example.COM", "example.com", 443, "/", "example.com"),
        ("HTTPS://example.com.:443/a", "example.com", 443, "/a", "example.com"),
        ("wss://example.com:8443/s?x=1#frag", "example.com", 8443, "/s?x=1", "example.com:8443"),
        ("http://127.0.0.1?x", "127.0.0.1", 80, "/?x", "127.0.0.1"),
        ("ws://[::1]:9/", "::1", 9, "/", "[::1]:9"),
        ("https://b%75cher.example:/", "bucher.example", 443, "/", "bucher.example"),
        ("https://bücher.example/", "xn--bcher-kva.example", 443, "/", "xn--bcher-kva.example"),
    ])
    func aURLIsParsed(text: String, host: String, port: UInt16, target: String, authority: String) throws {
        let url = try RequestURL(text)
        #expect(url.host.text == host)
        #expect(url.port == port)
        #expect(url.target == target)
        #expect(url.authority == authority)
    }

    @Test(arguments: [
        "", "example.com", "//example.com", "https:/example.com", "https://", "https:///path", "mailto:a@b",
        "https://a@example.com/", "https://example.com@evil.com/", "https://example.com\\@evil.com/",
        "https://example.com:99999/", "https://exa mple.com/", "https://example.com/a b", "https://example.com/\n",
        "https://2130706433x.0x1/", "https://.example.com/", "https://a..b/", "https://[fe80::1%25eth0]/",
        "https://fd00::1:443/", "https://fd00::1/", "https://::1", "http://::1:80", "https://a:b:443/",
    ])
    func anInvalidURLIsRefused(text: String) {
        #expect(throws: TransportError.self) { try RequestURL(text) }
    }

    /// An `HTTPRequest` has a separate path, in which a fragment would be sent.
    @Test(arguments: ["/a#b", "/#", "/a?b#c", "#", "/a b", "a", "/\r\nX: y"])
    func aPathIsRefused(path: String) {
        #expect(throws: TransportError.self) {
            try RequestURL(scheme: "https", authority: "example.com", path: path)
        }
    }
}
