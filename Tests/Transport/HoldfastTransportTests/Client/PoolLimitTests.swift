import HTTPTypes
import HoldfastTransportTestSupport
import Testing

@testable import HoldfastTransport

/// The limits of connections and of waiting requests.
@Suite struct PoolLimitTests {
    private let plain = TransportConfiguration.forPlainServers

    @Test func oneRequestMoreThanTheLimitFails() async throws {
        let release = Trigger()
        try await ScriptedServer.with { _ in
            [.wait(release), .respond("x")]
        } _: { server in
            var configuration = plain
            configuration.maximumConnectionsPerHost = 1
            configuration.limits.waitingRequests = 2
            let client = HTTPClient(configuration: configuration)
            async let first = client.collect(.plain(port: server.port), upTo: 9)
            await server.waitForRequests(1)
            async let second = client.collect(.plain(port: server.port), upTo: 9)
            async let third = client.collect(.plain(port: server.port), upTo: 9)
            while client.waitingCount < 2 { await Task.yield() }
            let error = try await transportError { _ = try await client.collect(.plain(port: server.port), upTo: 9) }
            #expect(error.code == .tooManyWaiting)
            release.fire()
            #expect(try await [first, second, third].map(\.text) == ["x", "x", "x"])
            // Space is available again.
            #expect(try await client.collect(.plain(port: server.port), upTo: 9).text == "x")
        }
    }

    /// Pools of unused hosts are removed, because redirects could lead to any number of hosts.
    @Test func unusedHostsAreRemoved() async throws {
        let world = VirtualWorld()
        world.failNext(Array(repeating: MissingError(), count: 1000))
        let client = world.client()
        for port in 1...1000 {
            let error = try await transportError { _ = try await client.collect(.plain(port: UInt16(port)), upTo: 9) }
            #expect(error.code == .connectionRefused)
        }
        #expect(client.poolCount <= ClientCore.keptPools)
        // A failed dial returns its permit shortly after the request failed.
        await client.shutdown()
        #expect(client.freeConnections == TransportLimits().connections)
    }

    /// Pools in use are kept: those with a connection or a waiting request.
    @Test func usedHostsAreKept() async throws {
        let world = VirtualWorld()
        let client = world.client()
        async let first = client.collect(.plain(port: 5000), upTo: 9)
        try await world.request()
        world.failNext(Array(repeating: MissingError(), count: 200))
        for port in 1...200 {
            _ = try await transportError { _ = try await client.collect(.plain(port: UInt16(port)), upTo: 9) }
        }
        try await world.respond("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx")
        #expect(try await first.text == "x")
        async let second = client.collect(.plain(port: 5000), upTo: 9)
        try await world.request()
        try await world.respond("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\ny")
        #expect(try await second.text == "y")
        #expect(client.poolCount <= ClientCore.keptPools)
    }

    /// A request for a pool that was removed in the meantime goes to the pool that replaced it.
    @Test func aRequestIsMovedToTheNextPool() async throws {
        try await ScriptedServer.with { _ in
            [.respond("x")]
        } _: { server in
            let configuration = plain
            let core = ClientCore(
                configuration: configuration, dialler: NetworkDialler(configuration: configuration),
                loops: NetworkDialler.eventLoops)
            let request = try PreparedRequest(.plain(port: server.port), body: .absent)
            let pool = try core.pool(for: request.target)
            // Requests to so many other hosts that the core removes unused pools.
            for port in 1...UInt16(ClientCore.keptPools) {
                _ = try core.pool(for: PreparedRequest(.plain(port: port), body: .absent).target)
            }
            let exchange = Exchange(
                request: request, options: RequestOptions(), sink: .collect(limit: 9), deadline: nil)
            let answer = try await exchange.answer(from: pool)
            #expect(answer.body == Array("x".utf8))
            #expect(try core.pool(for: request.target) !== pool)
            for pool in core.drain() { await pool.whenEmpty() }
            #expect(core.freeConnections == TransportLimits().connections)
        }
    }

    /// An idle connection of one host is closed so that a different host can connect.
    @Test(arguments: ScriptedVersion.allCases)
    func anIdleConnectionMakesRoom(version: ScriptedVersion) async throws {
        try await withTwoServers(version, connections: 1) { client, a, b in
            for round in 1...3 {
                let first = try await client.collect(.plain(port: a.port), upTo: 9)
                let second = try await client.collect(.plain(port: b.port), upTo: 9)
                #expect(first.text == "a" && second.text == "b")
                #expect(a.connectionCount == round && b.connectionCount == round)
            }
            await client.shutdown()
        }
    }

    /// A busy connection is awaited. When it becomes idle, it is not kept for its own host.
    @Test(arguments: ScriptedVersion.allCases)
    func aBusyConnectionIsAwaited(version: ScriptedVersion) async throws {
        let release = Trigger()
        try await withTwoServers(version, connections: 1, first: { _ in [.wait(release), .respond("a")] }) {
            client, a, b in
            async let first = client.collect(.plain(port: a.port), upTo: 9)
            await a.waitForRequests(1)
            async let second = client.collect(.plain(port: b.port), upTo: 9)
            while client.waitingCount < 1 { await Task.yield() }
            #expect(b.connectionCount == 0)
            release.fire()
            let texts = try await [first.text, second.text]
            #expect(texts == ["a", "b"])
            await a.waitForClosed(1)
            await client.shutdown()
        }
    }

    @Test(arguments: ScriptedVersion.allCases)
    func aRequestWithoutAConnectionInTimeFails(version: ScriptedVersion) async throws {
        let release = Trigger()
        try await withTwoServers(version, connections: 1, first: { _ in [.wait(release), .respond("a")] }) {
            client, a, b in
            async let first = client.collect(.plain(port: a.port), upTo: 9)
            await a.waitForRequests(1)
            let options = RequestOptions(idleTimeout: .milliseconds(30))
            let error = try await transportError {
                _ = try await client.collect(.plain(port: b.port), upTo: 9, options: options)
            }
            #expect(error.code == .timedOut)
            #expect(error.phase == .waiting)
            #expect(b.connectionCount == 0)
            release.fire()
            let answer = try await first
            #expect(answer.text == "a")
            await client.shutdown()
        }
    }

    /// Many hosts, few connections, some cancelled requests: every other request succeeds, and every permit is
    /// returned.
    @Test(arguments: ScriptedVersion.allCases)
    func permitsAreNeverLost(version: ScriptedVersion) async throws {
        try await withTwoServers(
            version, connections: 3, first: { [.respond($0.target)] },
            second: {
                // In HTTP/2 the cut would also affect other requests on the connection.
                version == .http1 && $0.target.hasSuffix("7") ? [.cut] : [.respond($0.target)]
            }
        ) { client, a, b in
            await withTaskGroup { group in
                for number in 0..<200 {
                    group.addTask {
                        let port = number % 2 == 0 ? a.port : b.port
                        let request = Task {  // reason: some are cancelled
                            try await client.collect(.plain(port: port, path: "/\(number)"), upTo: 99)
                        }
                        if number % 5 == 0 { request.cancel() }
                        let answer = try? await request.value
                        let isLost = number % 5 == 0 || (version == .http1 && number % 10 == 7)
                        if !isLost { #expect(answer?.text == "/\(number)") }
                    }
                }
            }
            #expect(client.live.count <= 3)
            await client.shutdown()
            while client.freeConnections < 3 { await Task.yield() }
        }
    }

    /// Runs two servers, and a client that may have this number of connections to both together.
    private func withTwoServers(
        _ version: ScriptedVersion, connections: Int,
        first: @escaping @Sendable (ScriptedRequest) -> [ScriptedAction] = { _ in [.respond("a")] },
        second: @escaping @Sendable (ScriptedRequest) -> [ScriptedAction] = { _ in [.respond("b")] },
        _ body: @Sendable (HTTPClient, ScriptedServer, ScriptedServer) async throws -> Void
    ) async throws {
        var configuration = TransportConfiguration.plain(version)
        configuration.limits.connections = connections
        let client = HTTPClient(configuration: configuration)
        try await ScriptedServer.with(version: version, first) { a in
            try await ScriptedServer.with(version: version, second) { b in
                try await body(client, a, b)
            }
        }
    }
}
