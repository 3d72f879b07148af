import HTTPTypes
import HoldfastTransport
import HoldfastTransportTestSupport
import Testing

/// Cancellation and shutdown release everything at once, at every stage of a request.
@Suite struct CancellationTests {
    private let plain = TransportConfiguration.forPlainServers

    @Test(arguments: ScriptedVersion.allCases)
    func aRequestThatWaitsForItsAnswer(version: ScriptedVersion) async throws {
        try await ScriptedServer.with(version: version) { _ in
            []
        } _: { server in
            let client = HTTPClient(configuration: .plain(version))
            let request = Task {  // reason: the test cancels it
                try await client.collect(.plain(port: server.port), upTo: 9)
            }
            await server.waitForRequests(1)
            request.cancel()
            let error = try await transportError { _ = try await request.value }
            #expect(error.code == .cancelled)
            // The connection is closed, because it cannot be reused.
            await server.waitForAbandoned(1)
        }
    }

    @Test(arguments: ScriptedVersion.allCases)
    func aRequestCancelledBeforeItStarts(version: ScriptedVersion) async throws {
        try await ScriptedServer.with(version: version) { _ in
            [.respond()]
        } _: { server in
            let client = HTTPClient(configuration: .plain(version))
            let trigger = Trigger()
            let request = Task {  // reason: the test cancels it
                await trigger.wait()
                _ = try await client.collect(.plain(port: server.port), upTo: 9)
            }
            request.cancel()
            trigger.fire()
            let error = try await transportError { try await request.value }
            #expect(error.code == .cancelled)
            #expect(server.requests.isEmpty)
        }
    }

    /// Only for HTTP/1.1: in HTTP/2 the request would get a stream. See `HTTP2ConnectionTests`.
    @Test func aRequestInTheQueue() async throws {
        let release = Trigger()
        try await ScriptedServer.with {
            $0.number == 0 ? [.wait(release), .respond("x")] : [.respond("y")]
        } _: {
            server in
            var configuration = plain
            configuration.maximumConnectionsPerHost = 1
            let client = HTTPClient(configuration: configuration)
            async let first = client.collect(.plain(port: server.port), upTo: 9)
            await server.waitForRequests(1)
            let second = Task {  // reason: the test cancels it
                try await client.collect(.plain(port: server.port, path: "/second"), upTo: 9)
            }
            let third = Task {  // reason: it must wait behind the second
                try await client.collect(.plain(port: server.port, path: "/third"), upTo: 9)
            }
            second.cancel()
            let error = try await transportError { _ = try await second.value }
            #expect(error.code == .cancelled)
            release.fire()
            #expect(try await first.text == "x")
            // The place in the queue is free again.
            #expect(try await third.value.text == "y")
            #expect(server.requests.map(\.target) == ["/", "/third"])
            #expect(server.connectionCount == 1)
        }
    }

    @Test(arguments: ScriptedVersion.allCases)
    func aResponseThatIsBeingRead(version: ScriptedVersion) async throws {
        try await ScriptedServer.with(version: version) { _ in
            [.text("HTTP/1.1 200 OK\nContent-Length: 10\n\n12345")]
        } _: { server in
            let client = HTTPClient(configuration: .plain(version))
            let begun = Trigger()
            let request = Task {  // reason: the test cancels it
                try await client.execute(.plain(port: server.port)) { _, body in
                    #expect(try await body.next() == Array("12345".utf8))
                    begun.fire()
                    _ = try await body.next()
                }
            }
            await begun.wait()
            request.cancel()
            let error = try await transportError { try await request.value }
            #expect(error.code == .cancelled)
            await server.waitForAbandoned(1)
        }
    }

    /// If a caller does not read a body to its end, the connection is closed, and no other request gets the rest.
    @Test(arguments: ScriptedVersion.allCases)
    func aBodyThatIsNotReadToItsEnd(version: ScriptedVersion) async throws {
        try await ScriptedServer.with(version: version) {
            $0.connection + $0.number == 0
                ? [.text("HTTP/1.1 200 OK\nContent-Length: 10\n\n12345")] : [.respond("second")]
        } _: { server in
            let client = HTTPClient(configuration: .plain(version))
            let status = try await client.execute(.plain(port: server.port)) { response, _ in response.status.code }
            #expect(status == 200)
            await server.waitForAbandoned(1)
            #expect(try await client.collect(.plain(port: server.port), upTo: 9).text == "second")
        }
    }

    @Test(arguments: ScriptedVersion.allCases)
    func theErrorOfTheCallersClosureReachesTheCaller(version: ScriptedVersion) async throws {
        struct Own: Error {}
        try await ScriptedServer.with(version: version) { _ in
            [.respond("x")]
        } _: { server in
            let client = HTTPClient(configuration: .plain(version))
            await #expect(throws: Own.self) {
                try await client.execute(.plain(port: server.port)) { _, _ in throw Own() }
            }
        }
    }

    @Test(arguments: ScriptedVersion.allCases)
    func aShutdownFailsAllPendingRequests(version: ScriptedVersion) async throws {
        try await ScriptedServer.with(version: version) { _ in
            []
        } _: { server in
            var configuration = TransportConfiguration.plain(version)
            configuration.maximumConnectionsPerHost = 2
            let client = HTTPClient(configuration: configuration)
            let requests = (0..<5).map { _ in
                Task {  // reason: it outlives the shutdown
                    try await transportError { _ = try await client.collect(.plain(port: server.port), upTo: 9) }
                }
            }
            await server.waitForRequests(2)
            await client.shutdown()
            for request in requests {
                #expect(try await request.value.code == .shutDown)
            }
            #expect(client.live.isEmpty)
            await server.waitForClosed(version == .http1 ? 2 : 1)
            let later = try await transportError { _ = try await client.collect(.plain(port: server.port), upTo: 9) }
            #expect(later.code == .shutDown)
            await client.shutdown()
        }
    }

    /// A dial that hangs does not delay a shutdown.
    @Test func aShutdownEndsADial() async throws {
        let world = try PinnedWorld()
        var settings = ScriptedServer.Settings()
        settings.readsRequests = false
        try await ScriptedServer.with(settings) { server in
            let client = HTTPClient(configuration: world.configuration())
            let request = Task {  // reason: it outlives the shutdown
                try await client.collect(HTTPRequest(port: server.port), upTo: 9)
            }
            while server.connectionCount == 0 { await Task.yield() }
            await client.shutdown()
            let error = try await transportError { _ = try await request.value }
            #expect(error.code == .shutDown)
            await server.waitForClosed(1)
        }
    }

    /// A client that is not shut down closes its connections when its last reference is released, without a trap.
    @Test(arguments: ScriptedVersion.allCases)
    func aReleasedClientClosesItsConnections(version: ScriptedVersion) async throws {
        try await ScriptedServer.with(version: version) { _ in
            [.respond("x")]
        } _: { server in
            for number in 1...20 {
                var client: HTTPClient? = HTTPClient(configuration: .plain(version))
                _ = try await client?.collect(.plain(port: server.port), upTo: 9)
                client = nil
                await server.waitForClosed(number)
            }
        }
    }
}
