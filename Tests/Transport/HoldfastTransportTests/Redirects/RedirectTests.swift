import HTTPTypes
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import Testing

/// Redirects are followed if the caller enables it, and never to a forbidden target.
@Suite struct RedirectTests {
    private let plain = TransportConfiguration.forPlainServers
    private let follow = RequestOptions(redirects: .follow())

    /// A server whose `/old` redirects to `/new` with this status, and whose `/new` returns the request that it
    /// received.
    private func server(_ status: Int, to location: String = "/new") -> @Sendable (ScriptedRequest) -> [ScriptedAction]
    {
        { request in
            request.target.hasPrefix("/old")
                ? [.respond("moved", status: "\(status) Moved", fields: ["Location: \(location)"])]
                : [.respond("\(request.method) \(String(decoding: request.body, as: UTF8.self))")]
        }
    }

    @Test(
        arguments: [
            (301, HTTPRequest.Method.get, "GET "), (302, .get, "GET "), (303, .get, "GET "), (307, .get, "GET "),
            (308, .get, "GET "), (301, .post, "GET "), (302, .post, "GET "), (303, .post, "GET "),
            (307, .post, "POST x"),
            (308, .post, "POST x"), (301, .put, "PUT x"), (302, .put, "PUT x"), (303, .put, "GET "),
            (307, .put, "PUT x"),
            (302, .delete, "DELETE "), (303, .delete, "GET "), (307, .patch, "PATCH x"),
        ], ScriptedVersion.allCases)
    func methodsAndBodies(
        exchange: (status: Int, method: HTTPRequest.Method, expected: String), version: ScriptedVersion
    ) async throws {
        let (status, method, expected) = exchange
        try await ScriptedServer.with(version: version, server(status)) { server in
            let client = HTTPClient(configuration: .plain(version))
            let hasBody = [.post, .put, .patch].contains(method)
            let request = HTTPRequest.plain(method, port: server.port, path: "/old", [.contentType: "text/plain"])
            let body: HTTPBody? = hasBody ? .bytes(Array("x".utf8)) : nil
            let answer = try await client.collect(request, body: body, upTo: 99, options: follow)
            #expect(answer.text == expected)
            let streamed = try await client.execute(request, body: body, options: follow) { _, body in
                String(decoding: try await body.next() ?? [], as: UTF8.self)
            }
            #expect(streamed == expected)
            // The redirect's body was read, so its connection carries the next request.
            #expect(server.connectionCount == 1)
            // The fields that describe a body are removed with it.
            let staysBehind = status == 303 || (method == .post && status < 303)
            #expect((server.requests[1].field("Content-Type") == nil) == staysBehind)
        }
    }

    @Test(arguments: ScriptedVersion.allCases)
    func aHeadRequestStaysAHeadRequest(version: ScriptedVersion) async throws {
        try await ScriptedServer.with(version: version, server(303)) { server in
            let client = HTTPClient(configuration: .plain(version))
            _ = try await client.collect(.plain(.head, port: server.port, path: "/old"), upTo: 9, options: follow)
            #expect(server.requests.map(\.method) == ["HEAD", "HEAD"])
        }
    }

    @Test(arguments: ["300 Choices", "304 Not Modified", "305 Proxy", "306 Old", "200 OK"], ScriptedVersion.allCases)
    func otherStatusesAreReturned(status: String, version: ScriptedVersion) async throws {
        try await ScriptedServer.with(version: version) { _ in
            [.text("HTTP/1.1 \(status)\nLocation: /new\nContent-Length: 0\n\n")]
        } _: { server in
            let client = HTTPClient(configuration: .plain(version))
            _ = try await client.collect(.plain(port: server.port), upTo: 9, options: follow)
            #expect(server.requests.count == 1)
        }
    }

    @Test(arguments: ScriptedVersion.allCases)
    func withoutTheOptionOrALocationItIsReturned(version: ScriptedVersion) async throws {
        try await ScriptedServer.with(version: version) {
            $0.target == "/none" ? [.respond("x", status: "302 Found")] : server(302)($0)
        } _: { server in
            let client = HTTPClient(configuration: .plain(version))
            let old = try await client.collect(.plain(port: server.port, path: "/old"), upTo: 9)
            #expect(old.response.status.code == 302 && old.text == "moved")
            let none = try await client.collect(.plain(port: server.port, path: "/none"), upTo: 9, options: follow)
            #expect(none.response.status.code == 302 && none.text == "x")
        }
    }

    @Test(arguments: ScriptedVersion.allCases)
    func loopsAndLimits(version: ScriptedVersion) async throws {
        try await ScriptedServer.with(version: version) { request in
            let next = request.target == "/loop" ? "/a" : request.target == "/a" ? "/loop" : request.target + "x"
            return [.respond(status: "302 Found", fields: ["Location: \(next)"])]
        } _: { server in
            let client = HTTPClient(configuration: .plain(version))
            let loop = try await transportError {
                _ = try await client.collect(.plain(port: server.port, path: "/loop"), upTo: 9, options: follow)
            }
            #expect(loop.code == .redirectLoop)
            #expect(server.requests.count == 2)
            let limit = try await transportError {
                let options = RequestOptions(redirects: .follow(limit: 3))
                _ = try await client.collect(.plain(port: server.port, path: "/x"), upTo: 9, options: options)
            }
            #expect(limit.code == .tooManyRedirects)
            #expect(server.requests.count == 2 + 4)
        }
    }

    @Test(arguments: ScriptedVersion.allCases)
    func twoLocationsAreRefused(version: ScriptedVersion) async throws {
        try await ScriptedServer.with(version: version) { _ in
            [.respond(status: "302 Found", fields: ["Location: /a", "Location: /b"])]
        } _: { server in
            let client = HTTPClient(configuration: .plain(version))
            let error = try await transportError {
                _ = try await client.collect(.plain(port: server.port), upTo: 9, options: follow)
            }
            #expect(error.code == .redirectRefused)
            #expect(server.requests.count == 1)
        }
    }

    @Test(arguments: ScriptedVersion.allCases)
    func aStreamedBodyCannotBeSentAgain(version: ScriptedVersion) async throws {
        for (status, expected) in [(307, TransportError.Code.bodyNotRepeatable), (303, nil)] {
            try await ScriptedServer.with(version: version, server(status)) { server in
                let client = HTTPClient(configuration: .plain(version))
                let send = {
                    let body = HTTPBody.stream(length: 1) { try await $0.write([65]) }
                    return try await client.collect(
                        .plain(.post, port: server.port, path: "/old"), body: body, upTo: 99, options: follow)
                }
                if let expected {
                    let error = try await transportError { _ = try await send() }
                    #expect(error.code == expected)
                    #expect(server.requests.count == 1)
                } else {
                    #expect(try await send().text == "GET ")
                }
            }
        }
    }

    /// A different port is a different origin (RFC 6454), even on the same host.
    @Test(arguments: ScriptedVersion.allCases)
    func credentialsStayWithTheirOrigin(version: ScriptedVersion) async throws {
        let token = try #require(HTTPField.Name("X-Token"))
        let other = try #require(HTTPField.Name("X-Other"))
        try await ScriptedServer.with(version: version) { _ in
            [.respond("there")]
        } _: { foreign in
            try await ScriptedServer.with(version: version) { request in
                switch request.target {
                case "/away": [.respond(status: "302 F", fields: ["Location: http://127.0.0.1:\(foreign.port)/"])]
                case "/near": [.respond(status: "302 F", fields: ["Location: /end"])]
                default: [.respond("here")]
                }
            } _: { server in
                let client = HTTPClient(configuration: .plain(version))
                let options = RequestOptions(redirects: .follow(credentialFields: [token]))
                let secrets: HTTPFields = [
                    .authorization: "a", .cookie: "b", .proxyAuthorization: "c", token: "d", other: "e",
                ]
                let away = HTTPRequest.plain(port: server.port, path: "/away", secrets)
                let there = try await client.collect(away, upTo: 99, options: options)
                #expect(there.text == "there")
                #expect(foreign.requests[0].fields.map { $0.name.lowercased() } == ["host", "x-other"])
                #expect(foreign.requests[0].field("Host") == "127.0.0.1:\(foreign.port)")
                let near = HTTPRequest.plain(port: server.port, path: "/near", secrets)
                let here = try await client.collect(near, upTo: 99, options: options)
                #expect(here.text == "here")
                #expect(server.requests.last?.fields.count == 6)
            }
        }
    }

    /// The client does not wait for the large body of a redirect, and the body does not count towards the caller's
    /// limit.
    @Test(arguments: ScriptedVersion.allCases)
    func aRedirectWithALargeBody(version: ScriptedVersion) async throws {
        let body = String(repeating: "x", count: 100_000)
        for framing in ["Content-Length: 1000000\n\n", "Transfer-Encoding: chunked\n\nfffff\n"] {
            try await ScriptedServer.with(version: version) { request in
                request.target == "/"
                    ? [.text("HTTP/1.1 302 Found\nLocation: /new\n" + framing + body)] : [.respond("new")]
            } _: { server in
                let client = HTTPClient(configuration: .plain(version))
                let answer = try await client.collect(.plain(port: server.port), upTo: 3, options: follow)
                #expect(answer.text == "new")
                #expect(server.connectionCount == (version == .http1 ? 2 : 1))
                await server.waitForAbandoned(1)
            }
        }
    }

    @Test(arguments: ScriptedVersion.allCases)
    func neverFromHTTPSToHTTP(version: ScriptedVersion) async throws {
        let world = try PinnedWorld()
        try await ScriptedServer.with(version: version) { _ in
            [.respond("cleartext")]
        } _: { clear in
            try await ScriptedServer.with(tls: ServerTLS(world.leaf), version: version) { _ in
                [.respond(status: "302 F", fields: ["Location: http://127.0.0.1:\(clear.port)/"])]
            } _: { server in
                var configuration = world.configuration()
                configuration.dangerouslyAllowsCleartext = true
                let client = HTTPClient(configuration: configuration)
                let error = try await transportError {
                    _ = try await client.collect(HTTPRequest(port: server.port), upTo: 99, options: follow)
                }
                #expect(error.code == .redirectRefused)
                #expect(clear.connectionCount == 0)
            }
        }
    }

    /// The target of a redirect is verified with its own name and its own key.
    @Test(arguments: ScriptedVersion.allCases)
    func theTargetIsVerifiedSeparately(version: ScriptedVersion) async throws {
        let world = try PinnedWorld()
        let other = try world.factory.leaf(["other.example.com"], signedBy: world.intermediate)
        for (identity, expected) in [(other, nil), (world.leaf, TrustFinding.Code.hostMismatch)] {
            try await ScriptedServer.with(tls: ServerTLS(identity), version: version) { _ in
                [.respond("there")]
            } _: { target in
                try await ScriptedServer.with(tls: ServerTLS(world.leaf), version: version) { _ in
                    [.respond(status: "307 T", fields: ["Location: https://other.example.com:\(target.port)/"])]
                } _: { server in
                    var configuration = world.configuration()
                    configuration.hostOverrides["other.example.com"] = "127.0.0.1"
                    let client = HTTPClient(configuration: configuration)
                    let request = HTTPRequest(port: server.port)
                    if let expected {
                        let error = try await transportError {
                            _ = try await client.collect(request, upTo: 99, options: follow)
                        }
                        #expect(error.verdict?.finding.code == expected)
                        #expect(target.requests.isEmpty)
                    } else {
                        #expect(try await client.collect(request, upTo: 99, options: follow).text == "there")
                    }
                }
            }
        }
    }
}
