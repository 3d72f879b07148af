import HTTPTypes
import HoldfastTransport
import HoldfastTransportTestSupport
import Testing

/// A shut-down with a period of grace.
@Suite struct ShutdownTests {
    private let plain = TransportConfiguration.forPlainServers

    /// Of HTTP/1.1 alone, since it needs two connections. See `HTTP2ConnectionTests`.
    @Test func whatIsUnderWayMayEnd() async throws {
        let release = Trigger()
        try await ScriptedServer.with {
            $0.target == "/idle" ? [.respond("idle")] : [.wait(release), .respond("x")]
        } _: { server in
            var configuration = plain
            configuration.maximumConnectionsPerHost = 2
            let client = HTTPClient(configuration: configuration)
            async let first = client.collect(.plain(port: server.port), upTo: 9)
            await server.waitForRequests(1)
            // A second connection, which is idle then.
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

    /// Of HTTP/1.1 alone: in HTTP/2 nothing would wait.
    @Test func whatStillWaitsIsFailed() async throws {
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
    func afterTheGraceItIsCut(version: ScriptedVersion) async throws {
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
    func whoeverIsCancelledWhileWaitingCutsAtOnce(version: ScriptedVersion) async throws {
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
