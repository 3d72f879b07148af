import HTTPTypes
import HoldfastTransport
import HoldfastTransportTestSupport
import Testing

/// Shutdown with a grace period.
@Suite struct ShutdownTests {
    private let plain = TransportConfiguration.forPlainServers

    /// Only for HTTP/1.1, because the test needs two connections. See `HTTP2ConnectionTests`.
    @Test func requestsInProgressMayFinish() async throws {
        let release = Trigger()
        try await ScriptedServer.with {
            $0.target == "/idle" ? [.respond("idle")] : [.wait(release), .respond("x")]
        } _: { server in
            var configuration = plain
            configuration.maximumConnectionsPerHost = 2
            let client = HTTPClient(configuration: configuration)
            async let first = client.collect(.plain(port: server.port), upTo: 9)
            await server.waitForRequests(1)
            // A second connection, which is then idle.
            _ = try await client.collect(.plain(port: server.port, path: "/idle"), upTo: 9)
            async let end: Void = client.shutdown(gracePeriod: .seconds(600))
            await server.waitForClosed(1)
            let refused = try await transportError { _ = try await client.collect(.plain(port: server.port), upTo: 9) }
            #expect(refused.code == .shutDown)
            release.fire()
            let answer = try await first
            #expect(answer.text == "x")
            await end
            #expect(client.live.isEmpty)
        }
    }

    /// Only for HTTP/1.1: in HTTP/2 no request would wait.
    @Test func waitingRequestsFail() async throws {
        let release = Trigger()
        try await ScriptedServer.with { _ in
            [.wait(release), .respond("x")]
        } _: { server in
            var configuration = plain
            configuration.maximumConnectionsPerHost = 1
            let client = HTTPClient(configuration: configuration)
            async let first = client.collect(.plain(port: server.port), upTo: 9)
            await server.waitForRequests(1)
            async let second = transportError { _ = try await client.collect(.plain(port: server.port), upTo: 9) }
            while client.waitingCount < 1 { await Task.yield() }
            async let end: Void = client.shutdown(gracePeriod: .seconds(600))
            let refused = try await second
            #expect(refused.code == .shutDown)
            release.fire()
            let answer = try await first
            #expect(answer.text == "x")
            await end
        }
    }

    @Test(arguments: ScriptedVersion.allCases)
    func afterTheGracePeriodConnectionsAreClosed(version: ScriptedVersion) async throws {
        try await ScriptedServer.with(version: version) { _ in
            []
        } _: { server in
            let client = HTTPClient(configuration: .plain(version))
            async let error = transportError { _ = try await client.collect(.plain(port: server.port), upTo: 9) }
            await server.waitForRequests(1)
            await client.shutdown(gracePeriod: .milliseconds(20))
            let failure = try await error
            #expect(failure.code == .shutDown)
            #expect(client.live.isEmpty)
        }
    }

    @Test(arguments: ScriptedVersion.allCases)
    func cancellingTheShutdownClosesConnectionsAtOnce(version: ScriptedVersion) async throws {
        try await ScriptedServer.with(version: version) { _ in
            []
        } _: { server in
            let client = HTTPClient(configuration: .plain(version))
            async let error = transportError { _ = try await client.collect(.plain(port: server.port), upTo: 9) }
            await server.waitForRequests(1)
            let end = Task {  // reason: the test cancels it
                await client.shutdown(gracePeriod: .seconds(600))
            }
            end.cancel()
            await end.value
            let failure = try await error
            #expect(failure.code == .shutDown)
        }
    }
}
