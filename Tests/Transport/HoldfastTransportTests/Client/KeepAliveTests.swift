import HTTPTypes
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import Testing

/// Connections are reused, but only if that is safe.
@Suite struct KeepAliveTests {
    private let plain = TransportConfiguration.forPlainServers

    @Test(arguments: ScriptedVersion.allCases)
    func oneConnectionCarriesManyRequests(version: ScriptedVersion) async throws {
        try await ScriptedServer.with(version: version) {
            [.respond("\($0.number)")]
        } _: { server in
            let client = HTTPClient(configuration: .plain(version))
            for number in 0..<20 {
                let answer = try await client.collect(.plain(port: server.port), upTo: 9)
                #expect(answer.text == "\(number)")
            }
            #expect(server.connectionCount == 1)
        }
    }

    @Test(arguments: ScriptedVersion.allCases)
    func connectionsOverTLSAreReused(version: ScriptedVersion) async throws {
        let world = try PinnedWorld()
        try await ScriptedServer.with(tls: ServerTLS(world.leaf), version: version) {
            [.respond("\($0.number)")]
        } _: { server in
            let client = HTTPClient(configuration: world.configuration())
            for number in 0..<5 {
                let answer = try await client.collect(HTTPRequest(port: server.port), upTo: 9)
                #expect(answer.text == "\(number)")
                // The verdict belongs to the connection, not only to its first request.
                #expect(answer.facts.verdict?.permitsConnection == true)
            }
            #expect(server.connectionCount == 1)
            #expect(client.live.count == 1)
            #expect(client.live.first?.subject.host.text == PinnedWorld.host)
            #expect(client.live.first?.presented?.certificates.count == 2)
            await client.shutdown()
            #expect(client.live.isEmpty)
        }
    }

    /// A response without a body (HEAD, 204, 304) ends with its head.
    @Test(
        arguments: [
            (HTTPRequest.Method.head, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"),
            (.get, "HTTP/1.1 204 No Content\r\n\r\n"),
            (.get, "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n"),
            (.get, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"),
            (.get, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
            (
                .get,
                """
                HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n\
                HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n
                """
            ),
        ], ScriptedVersion.allCases)
    func anEmptyBodyKeepsTheConnection(
        exchange: (method: HTTPRequest.Method, response: String), version: ScriptedVersion
    ) async throws {
        let (method, response) = exchange
        try await ScriptedServer.with(version: version) { _ in
            [.text(response)]
        } _: { server in
            let client = HTTPClient(configuration: .plain(version))
            for _ in 0..<3 {
                let answer = try await client.collect(.plain(method, port: server.port), upTo: 9)
                #expect(answer.body.isEmpty)
            }
            #expect(server.connectionCount == 1)
        }
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1\r\n\r\nx",
        "HTTP/1.1 200 OK\r\nConnection: x, CLOSE\t,\u{301}\r\nContent-Length: 1\r\n\r\nx",
        "HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\nx",
        "HTTP/1.1 200 OK\r\nKeep-Alive: timeout=1\r\nContent-Length: 1\r\n\r\nx",
    ])
    func aServerCanRefuseToKeepTheConnection(response: String) async throws {
        try await ScriptedServer.with { _ in
            [.text(response)]
        } _: { server in
            let client = HTTPClient(configuration: plain)
            for _ in 0..<3 {
                let answer = try await client.collect(.plain(port: server.port), upTo: 9)
                #expect(answer.text == "x")
            }
            #expect(server.connectionCount == 3)
        }
    }

    @Test(arguments: ScriptedVersion.allCases)
    func aBodyThatEndsWithTheConnectionIsRead(version: ScriptedVersion) async throws {
        try await ScriptedServer.with(version: version) { _ in
            [.text("HTTP/1.1 200 OK\n\nall of it"), .close]
        } _: { server in
            let client = HTTPClient(configuration: .plain(version))
            for _ in 0..<2 {
                let answer = try await client.collect(.plain(port: server.port), upTo: 99)
                #expect(answer.text == "all of it")
            }
            // A stream ends without its connection.
            #expect(server.connectionCount == (version == .http1 ? 2 : 1))
        }
    }

    /// Over TLS the end of the connection ends the body only after a `close_notify` alert, because an attacker can cut
    /// a connection.
    @Test(arguments: [true, false])
    func overTLSABodyThatEndsWithTheConnectionNeedsTheCloseNotify(farewell: Bool) async throws {
        let world = try PinnedWorld()
        try await ScriptedServer.with(tls: ServerTLS(world.leaf)) { _ in
            [.text("HTTP/1.1 200 OK\n\nall of it"), farewell ? .close : .cut]
        } _: { server in
            let client = HTTPClient(configuration: world.configuration())
            if farewell {
                #expect(try await client.collect(HTTPRequest(port: server.port), upTo: 99).text == "all of it")
            } else {
                let error = try await transportError {
                    _ = try await client.collect(HTTPRequest(port: server.port), upTo: 99)
                }
                #expect(error.code == .connectionClosed)
            }
        }
    }

    @Test(arguments: ScriptedVersion.allCases)
    func aCallerCanRefuseToKeepTheConnection(version: ScriptedVersion) async throws {
        try await ScriptedServer.with(version: version) { _ in
            [.respond("x")]
        } _: { server in
            let client = HTTPClient(configuration: .plain(version))
            for _ in 0..<2 {
                _ = try await client.collect(.plain(port: server.port, [.connection: "close"]), upTo: 9)
            }
            #expect(server.connectionCount == 2)
            #expect(server.requests[0].field("Connection") == (version == .http1 ? "close" : nil))
        }
    }

    @Test(arguments: ScriptedVersion.allCases)
    func anIdleConnectionIsClosedInTime(version: ScriptedVersion) async throws {
        try await ScriptedServer.with(version: version) { _ in
            [.respond("x")]
        } _: { server in
            var configuration = TransportConfiguration.plain(version)
            configuration.keepAlive = .milliseconds(40)
            let client = HTTPClient(configuration: configuration)
            _ = try await client.collect(.plain(port: server.port), upTo: 9)
            await server.waitForClosed(1)
            #expect(try await client.collect(.plain(port: server.port), upTo: 9).text == "x")
            #expect(server.connectionCount == 2)
        }
    }

    @Test(arguments: ScriptedVersion.allCases)
    func anIdleTimeoutOfZeroKeepsNoConnection(version: ScriptedVersion) async throws {
        try await ScriptedServer.with(version: version) { _ in
            [.respond("x")]
        } _: { server in
            var configuration = TransportConfiguration.plain(version)
            configuration.keepAlive = .zero
            let client = HTTPClient(configuration: configuration)
            for _ in 0..<3 { _ = try await client.collect(.plain(port: server.port), upTo: 9) }
            #expect(server.connectionCount == 3)
        }
    }

    /// Trailers reach their own request, even if the next request waits for the connection.
    @Test func trailersReachTheirOwnRequest() async throws {
        try await ScriptedServer.with {
            [.text("HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n1\nx\n0\nX-Path: \($0.target)\n\n")]
        } _: { server in
            var configuration = plain
            configuration.maximumConnectionsPerHost = 1
            let client = HTTPClient(configuration: configuration)
            let name = try #require(HTTPField.Name("X-Path"))
            try await withThrowingTaskGroup { group in
                for number in 0..<10 {
                    group.addTask {
                        let answer = try await client.collect(.plain(port: server.port, path: "/\(number)"), upTo: 9)
                        #expect(answer.trailers?[name] == "/\(number)")
                    }
                }
                try await group.waitForAll()
            }
            #expect(server.connectionCount == 1)
        }
    }

    /// A hundred tasks share the allowed number of connections, and every response reaches its own caller.
    @Test(arguments: ScriptedVersion.allCases)
    func concurrentRequestsShareTheConnections(version: ScriptedVersion) async throws {
        try await ScriptedServer.with(version: version) {
            [.respond($0.target)]
        } _: { server in
            var configuration = TransportConfiguration.plain(version)
            configuration.maximumConnectionsPerHost = 4
            let client = HTTPClient(configuration: configuration)
            try await withThrowingTaskGroup { group in
                for number in 0..<100 {
                    group.addTask {
                        let answer = try await client.collect(.plain(port: server.port, path: "/\(number)"), upTo: 99)
                        #expect(answer.text == "/\(number)")
                    }
                }
                try await group.waitForAll()
            }
            #expect(server.connectionCount <= 4)
            #expect(server.requests.count == 100)
        }
    }
}
