import HTTPTypes
import HoldfastTransport
import HoldfastTransportTestSupport
import Testing

/// The server may close a pooled connection at the moment when the client reuses it.
@Suite struct StaleConnectionTests {
    private let plain = TransportConfiguration.forPlainServers

    /// The server closes each connection at its second request, as in a keep-alive race.
    private func withForgetfulServer(
        _ version: ScriptedVersion, _ body: @Sendable (ScriptedServer, HTTPClient) async throws -> Void
    ) async throws {
        try await ScriptedServer.with(version: version) {
            $0.number == 0 ? [.respond("x")] : [.close]
        } _: { server in
            let client = HTTPClient(configuration: .plain(version))
            _ = try await client.collect(.plain(port: server.port), upTo: 9)
            try await body(server, client)
        }
    }

    @Test(arguments: [HTTPRequest.Method.get, .put, .delete, .head, .options], ScriptedVersion.allCases)
    func anIdempotentRequestIsRetried(method: HTTPRequest.Method, version: ScriptedVersion) async throws {
        try await withForgetfulServer(version) { server, client in
            let body: HTTPBody? = method == .put ? .bytes([1, 2, 3]) : nil
            let answer = try await client.collect(.plain(method, port: server.port), body: body, upTo: 9)
            #expect(answer.response.status == .ok)
            #expect(server.connectionCount == 2)
            #expect(server.requests.count == 3)
            if method == .put { #expect(server.requests.suffix(2).map(\.body) == [[1, 2, 3], [1, 2, 3]]) }
        }
    }

    @Test(arguments: [HTTPRequest.Method.post, .patch], ScriptedVersion.allCases)
    func aNonIdempotentRequestFails(method: HTTPRequest.Method, version: ScriptedVersion) async throws {
        try await withForgetfulServer(version) { server, client in
            let error = try await transportError {
                _ = try await client.collect(.plain(method, port: server.port), body: .bytes([1]), upTo: 9)
            }
            #expect(error.code == .connectionClosed)
            #expect(server.requests.count == 2)
        }
    }

    @Test(arguments: ScriptedVersion.allCases)
    func aBodyThatCannotBeRepeatedIsNotSentAgain(version: ScriptedVersion) async throws {
        try await withForgetfulServer(version) { server, client in
            let error = try await transportError {
                let body = HTTPBody.stream(length: 1) { try await $0.write([1]) }
                _ = try await client.collect(.plain(.put, port: server.port), body: body, upTo: 9)
            }
            #expect(error.code == .connectionClosed)
            #expect(server.requests.count == 2)
        }
    }

    /// The client received a byte of the response, so the server has processed the request.
    @Test func afterTheFirstByteNothingIsRetried() async throws {
        try await ScriptedServer.with {
            $0.number == 0 ? [.respond("x")] : [.text("H"), .close]
        } _: { server in
            let client = HTTPClient(configuration: plain)
            _ = try await client.collect(.plain(port: server.port), upTo: 9)
            let error = try await transportError {
                _ = try await client.collect(.plain(port: server.port), upTo: 9)
            }
            #expect(error.code == .connectionClosed)
            #expect(server.requests.count == 2)
        }
    }

    /// A new connection that the server closes is not a stale connection.
    @Test(arguments: ScriptedVersion.allCases)
    func onANewConnectionNothingIsRetried(version: ScriptedVersion) async throws {
        try await ScriptedServer.with(version: version) { _ in
            [.close]
        } _: { server in
            let client = HTTPClient(configuration: .plain(version))
            let error = try await transportError {
                _ = try await client.collect(.plain(port: server.port), upTo: 9)
            }
            #expect(error.code == .connectionClosed)
            #expect(error.phase == .awaitingResponse)
            #expect(server.requests.count == 1)
        }
    }

    /// The client detects the server's close before the next request, so no request is lost, whatever its method.
    @Test(arguments: ScriptedVersion.allCases)
    func aClosedConnectionIsNotReused(version: ScriptedVersion) async throws {
        try await ScriptedServer.with(version: version) { _ in
            [.respond("x")]
        } _: { server in
            let client = HTTPClient(configuration: .plain(version))
            for _ in 0..<20 {
                _ = try await client.collect(.plain(.post, port: server.port), body: .bytes([1]), upTo: 9)
                await server.cutConnections()
                await client.untilAllAreClosed()
            }
            #expect(server.requests.count == 20)
        }
    }

    /// The server closes every connection after one response without announcing it. Waiting requests receive such
    /// connections, but a request that lost one receives a new connection. Otherwise it could lose one after another.
    @Test func aRequestLosesOneConnectionAtMost() async throws {
        try await ScriptedServer.with { _ in
            [.respond("x"), .close]
        } _: { server in
            var configuration = plain
            configuration.maximumConnectionsPerHost = 2
            let client = HTTPClient(configuration: configuration)
            try await withThrowingTaskGroup { group in
                for _ in 0..<200 {
                    group.addTask { try await client.collect(.plain(port: server.port), upTo: 9).response.status }
                }
                for try await status in group { #expect(status == .ok) }
            }
            #expect(client.waitingCount == 0)
        }
    }
}
