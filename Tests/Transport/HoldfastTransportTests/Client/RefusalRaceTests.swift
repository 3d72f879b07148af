import HTTPTypes
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import Testing

/// A server that closes right behind its certificate must still be refused by the verdict: an end of file is what an
/// attacker can produce at will, and it would hide him behind "the network is broken".
@Suite struct RefusalRaceTests {
    @Test(arguments: [ServerTLS.Version.tls12, .tls13])
    func theVerdictBeatsTheEndOfTheConnection(version: ServerTLS.Version) async throws {
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

    /// The judgement takes long, so that the connection is gone for certain when the verdict comes.
    @Test func aVerdictThatComesAfterTheEndCountsToo() async throws {
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

    /// The counterpart: where the verdict speaks for the server, the end of the connection is the reason.
    @Test func anAcceptedServerThatClosesIsNoTrustFailure() async throws {
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
