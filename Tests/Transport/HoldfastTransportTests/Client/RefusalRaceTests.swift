import HTTPTypes
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import Testing

/// A server that closes the connection directly after its certificate must still be refused with the verdict. An
/// attacker can close a connection at any time, and would otherwise be reported as a network failure.
@Suite struct RefusalRaceTests {
    @Test(arguments: [ServerTLS.Version.tls12, .tls13])
    func theVerdictPrecedesTheEndOfTheConnection(version: ServerTLS.Version) async throws {
        let world = try PinnedWorld()
        var settings = ScriptedServer.Settings(tls: ServerTLS(world.rogue))
        settings.tls?.maximumVersion = version
        settings.closesAfterFirstFlight = true
        try await ScriptedServer.with(settings) { server in
            let client = HTTPClient(configuration: world.configuration())
            var outcomes: [String: Int] = [:]
            for _ in 0..<500 {
                let error = try await transportError {
                    _ = try await client.collect(HTTPRequest(port: server.port), upTo: 9)
                }
                outcomes["\(error.code) \(error.verdict?.finding.code.rawValue ?? error.reason)", default: 0] += 1
            }
            #expect(outcomes == ["trustRefused unknownIssuer": 500])
            #expect(server.connectionCount == 500)
        }
    }

    /// The verification takes so long that the connection is closed before the verdict.
    @Test func aVerdictAfterTheEndCountsToo() async throws {
        let world = try PinnedWorld()
        var settings = ScriptedServer.Settings(tls: ServerTLS(world.rogue))
        settings.closesAfterFirstFlight = true
        try await ScriptedServer.with(settings) { server in
            let engine = world.trust
            let trust = TrustContext(name: "slow") { chain, subject, time in
                .later {
                    await server.waitForClosed(1)
                    switch engine.judge(chain, for: subject, at: time) {
                    case .now(let verdict): return verdict
                    case .later(let evaluate): return await evaluate()
                    }
                }
            }
            let client = HTTPClient(configuration: world.configuration(trust: trust))
            let error = try await transportError {
                _ = try await client.collect(HTTPRequest(port: server.port), upTo: 9)
            }
            #expect(error.verdict?.finding.code == .unknownIssuer)
        }
    }

    /// The opposite case: if the verdict accepts the server, the error is the closed connection.
    @Test func anAcceptedServerThatClosesIsNotATrustFailure() async throws {
        let world = try PinnedWorld()
        var settings = ScriptedServer.Settings(tls: ServerTLS(world.leaf))
        settings.closesAfterFirstFlight = true
        try await ScriptedServer.with(settings) { server in
            let client = HTTPClient(configuration: world.configuration())
            let error = try await transportError {
                _ = try await client.collect(HTTPRequest(port: server.port), upTo: 9)
            }
            #expect(error.verdict == nil)
            #expect(error.code == .tlsHandshakeFailed || error.code == .connectionClosed)
        }
    }
}
