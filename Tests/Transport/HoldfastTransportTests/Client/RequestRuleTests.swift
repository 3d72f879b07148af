import HTTPTypes
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import Testing

/// Requests that are refused before a connection is opened.
@Suite struct RequestRuleTests {
    private let client = HTTPClient(configuration: .forPlainServers)

    private func error(_ request: HTTPRequest, _ body: HTTPBody? = nil) async throws -> TransportError {
        try await transportError { _ = try await client.collect(request, body: body, upTo: 9) }
    }

    @Test(
        arguments: [
            (nil, "127.0.0.1", "/"), ("ftp", "127.0.0.1", "/"), ("ws", "127.0.0.1", "/"), ("https", nil, "/"),
            ("https", "", "/"), ("https", "user@127.0.0.1", "/"), ("https", "127.0.0.1:0", "/"),
            ("https", "127.0.0.1:65536", "/"), ("https", "127.0.0.1:+1", "/"), ("https", "127.0.0.1:1:2", "/"),
            ("https", "[::1", "/"), ("https", "[::1]x", "/"), ("https", "a b", "/"), ("https", "a..b", "/"),
            ("https", "256.1.1.1", "/"), ("https", "127.0.0.1", "x"), ("https", "127.0.0.1", "/a b"),
            ("https", "127.0.0.1", "/ä"), ("https", "127.0.0.1", "*"),
        ] as [(String?, String?, String)])
    func invalidURLsAreRefused(scheme: String?, authority: String?, path: String) async throws {
        let request = HTTPRequest(method: .get, scheme: scheme, authority: authority, path: path)
        #expect(try await error(request).code == .invalidURL)
    }

    /// A line break in the target would end the request line. HTTPTypes replaces most line breaks; the client refuses
    /// the rest.
    @Test func aTargetCannotSmuggleARequest() async throws {
        let request = HTTPRequest(
            method: .get, scheme: "https", authority: "127.0.0.1", path: "/ HTTP/1.1\r\nX: y\r\n\r\nGET /")
        #expect(try await error(request).code == .invalidURL)
    }

    @Test func fieldsThatTheClientSets() async throws {
        for (name, value) in [
            (HTTPField.Name.transferEncoding, "chunked"), (.upgrade, "h2c"), (.te, "trailers"), (.trailer, "X"),
            (.connection, "Upgrade"), (.contentLength, "5"), (HTTPField.Name("Host"), "other.example.com"),
        ] as [(HTTPField.Name?, String)] {
            let name = try #require(name)
            let request = HTTPRequest.plain(.post, port: 9, [name: value])
            #expect(try await error(request, .bytes([1])).code == .invalidRequest, "\(name)")
        }
    }

    @Test func methodsAndTheirBodies() async throws {
        #expect(try await error(.plain(.connect, port: 9)).code == .invalidRequest)
        #expect(try await error(.plain(.trace, port: 9), .bytes([1])).code == .invalidRequest)
    }

    /// The rule applies to the host, not to the address that the client connects to.
    @Test func cleartextOffTheLoopbackIsRefused() async throws {
        try await ScriptedServer.with { _ in
            [.respond("x")]
        } _: { server in
            var configuration = TransportConfiguration.forPlainServers
            configuration.hostOverrides = ["example.com": "127.0.0.1", "localhost": "192.0.2.1"]
            let request = HTTPRequest(port: server.port, host: "example.com", scheme: "http")
            let strict = HTTPClient(configuration: configuration)
            let refused = try await transportError { _ = try await strict.collect(request, upTo: 9) }
            #expect(refused.code == .cleartextRefused)
            // An override must not send cleartext to a different machine either.
            let away = HTTPRequest(port: server.port, host: "localhost", scheme: "http")
            let second = try await transportError { _ = try await strict.collect(away, upTo: 9) }
            #expect(second.code == .cleartextRefused)
            #expect(server.connectionCount == 0)
            // With the explicit option the same request is sent.
            configuration.dangerouslyAllowsCleartext = true
            let loud = HTTPClient(configuration: configuration)
            #expect(try await loud.collect(request, upTo: 9).text == "x")
        }
    }

    @Test func anInvalidOverrideIsAnError() async throws {
        for overrides in [["a b": "127.0.0.1"], ["example.com": "not a host"], ["a.com": "::1", "A.com": "127.0.0.1"]] {
            var configuration = TransportConfiguration.forPlainServers
            configuration.hostOverrides = overrides
            let client = HTTPClient(configuration: configuration)
            let error = try await transportError {
                _ = try await client.collect(.plain(port: 9), upTo: 9)
            }
            #expect(error.code == .invalidURL)
        }
    }

    @Test func theFieldsOfARequest() async throws {
        try await ScriptedServer.with { _ in
            [.respond()]
        } _: { server in
            let client = HTTPClient(configuration: .forPlainServers)
            var request = HTTPRequest.plain(.post, port: server.port, path: "/p?q=%20", [.accept: "a", .cookie: "b=c"])
            request.headerFields.append(HTTPField(name: .accept, value: "d"))
            _ = try await client.collect(request, upTo: 9)
            let sent = try #require(server.requests.first)
            #expect(sent.method == "POST")
            #expect(sent.target == "/p?q=%20")
            #expect(
                sent.fields.map { "\($0.name): \($0.value)" } == [
                    "Host: 127.0.0.1:\(server.port)", "Accept: a", "Cookie: b=c", "Accept: d", "Content-Length: 0",
                ])
        }
    }
}
