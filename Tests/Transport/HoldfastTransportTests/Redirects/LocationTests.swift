import Testing

@testable import HoldfastTransport

/// The target of a `Location` field (RFC 3986, 5.4), and invalid values.
@Suite struct LocationTests {
    private func url(_ text: String) throws -> RequestURL { try RequestURL(text) }

    private func text(_ url: RequestURL) -> String { "\(url.scheme.rawValue)://\(url.authority)\(url.target)" }

    /// The examples of RFC 3986, 5.4 with HTTP's schemes, without fragments.
    @Test(arguments: [
        ("g", "/b/c/g"), ("./g", "/b/c/g"), ("g/", "/b/c/g/"), ("/g", "/g"), ("?y", "/b/c/d;p?y"),
        ("g?y", "/b/c/g?y"), ("#s", "/b/c/d;p?q"), ("g#s", "/b/c/g"), ("g?y#s", "/b/c/g?y"), (";x", "/b/c/;x"),
        ("g;x", "/b/c/g;x"), ("g;x?y#s", "/b/c/g;x?y"), ("", "/b/c/d;p?q"), (".", "/b/c/"), ("./", "/b/c/"),
        ("..", "/b/"), ("../", "/b/"), ("../g", "/b/g"), ("../..", "/"), ("../../", "/"), ("../../g", "/g"),
        ("../../../g", "/g"), ("../../../../g", "/g"), ("/./g", "/g"), ("/../g", "/g"), ("g.", "/b/c/g."),
        (".g", "/b/c/.g"), ("g..", "/b/c/g.."), ("..g", "/b/c/..g"), ("./../g", "/b/g"), ("./g/.", "/b/c/g/"),
        ("g/./h", "/b/c/g/h"), ("g/../h", "/b/c/h"), ("g;x=1/./y", "/b/c/g;x=1/y"), ("g;x=1/../y", "/b/c/y"),
        ("g?y/./x", "/b/c/g?y/./x"), ("g?y/../x", "/b/c/g?y/../x"), ("/a//b", "/a//b"), ("/?", "/?"),
        ("g?a:b", "/b/c/g?a:b"), ("./g:h", "/b/c/g:h"),
    ])
    func references(reference: String, target: String) throws {
        let resolved = try url("http://a.example/b/c/d;p?q").resolving(reference)
        #expect(text(resolved) == "http://a.example\(target)")
    }

    @Test(
        arguments: [
            ("//g.example", "https://g.example/"), ("//g.example?x", "https://g.example/?x"),
            ("https://B.example:443/x", "https://b.example/x"), ("HTTPS://b.example/x/../y", "https://b.example/y"),
            ("http://b.example", "http://b.example/"), ("https://[::1]:8443/", "https://[::1]:8443/"),
            ("https://b.example./", "https://b.example/"), ("https://bücher.example/", nil),
        ] as [(String, String?)])
    func otherHosts(reference: String, expected: String?) throws {
        let base = try url("https://a.example/b")
        if let expected {
            #expect(text(try base.resolving(reference)) == expected)
        } else {
            #expect(throws: TransportError.self) { try base.resolving(reference) }
        }
    }

    @Test(arguments: [
        "ftp://b.example/", "javascript:alert(1)", "file:///etc/passwd", "data:,x", "ws://b.example/", "mailto:a@b",
        "https:b", "https:/b", "https:", "http:g", "https://", "https:///path", "///path", "//",
        "https://user@b.example/",
        "https://a.example@b.example/", "https://a.example:b@c.example/", "https://b.example:0/",
        "https://b.example:65536/", "https://b.example:-1/", "https://b..example/", "https://[::1/",
        "https://256.1.1.1/", "https://fd00::1:443/", "//::1/",
        "/\\b.example", "\\\\b.example", "https:\\\\b.example", "https://b.example\\@c.example/", "/a b", "/a\tb",
        "/ä",
        "https://b.example /", "https://b%2eexample%/",
    ])
    func refused(reference: String) throws {
        let base = try url("https://a.example/b")
        let error = #expect(throws: TransportError.self) { try base.resolving(reference) }
        #expect(error?.code == .redirectRefused)
    }

    @Test func aReferenceAgainstAnAsterisk() throws {
        let base = try RequestURL(scheme: "https", authority: "a.example", path: "*")
        #expect(text(try base.resolving("g")) == "https://a.example/g")
    }
}
