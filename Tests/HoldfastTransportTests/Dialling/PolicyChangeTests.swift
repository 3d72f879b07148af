import HTTPTypes
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import Testing

/// A policy that is exchanged while connections are open.
@Suite struct PolicyChangeTests {
    private let world: PinnedWorld
    private let right: PinningPolicy
    private let alsoRight: PinningPolicy
    private let wrong: PinningPolicy

    init() throws {
        world = try PinnedWorld()
        right = try Self.policy("right", world.leaf)
        alsoRight = try Self.policy("also right", world.intermediate)
        wrong = try Self.policy("wrong", world.rogue)
    }

    private static func policy(_ name: String, _ identity: Identity) throws -> PinningPolicy {
        try PinningPolicy(
            name: name,
            rules: [PinningRule(HostPattern(PinnedWorld.host), pins: PinSet([Pin(identity.spkiDigest)]))],
            backupPins: .off)
    }

    private func configuration(_ holder: PolicyHolder) -> TransportConfiguration {
        world.configuration(trust: .policies(holder, anchors: .only([world.root.view])))
    }

    /// The idle connection is cut at once, without a request that would find it; the next request meets the new policy.
    @Test(arguments: ScriptedVersion.allCases)
    func anIdleConnectionThatIsRefusedNowIsCut(version: ScriptedVersion) async throws {
        let holder = PolicyHolder(right)
        let recording = RecordingLogHandler()
        try await ScriptedServer.with(tls: ServerTLS(world.leaf), version: version) { _ in
            [.respond("x")]
        } _: { server in
            let client = HTTPClient(configuration: configuration(holder), logger: recording.logger())
            _ = try await client.collect(HTTPRequest(port: server.port), upTo: 9)
            #expect(client.live.count == 1)
            holder.replace(with: wrong)
            await server.waitForClosed(1)
            await client.untilAllAreClosed()
            let error = try await transportError {
                _ = try await client.collect(HTTPRequest(port: server.port), upTo: 9)
            }
            #expect(error.code == .trustRefused)
            #expect(error.verdict?.policyName == "wrong")
            #expect(server.requests.count == 1)
            #expect(recording.entries.contains { "\($0)".contains("changed policy") })
        }
    }

    /// A request right behind the change never goes out on a connection that the new policy refuses.
    @Test(arguments: ScriptedVersion.allCases)
    func noRequestOvertakesTheChange(version: ScriptedVersion) async throws {
        let holder = PolicyHolder(right)
        try await ScriptedServer.with(tls: ServerTLS(world.leaf), version: version) { _ in
            [.respond("x")]
        } _: { server in
            let client = HTTPClient(configuration: configuration(holder))
            for round in 1...20 {
                holder.replace(with: right)
                _ = try await client.collect(HTTPRequest(port: server.port), upTo: 9)
                holder.replace(with: wrong)
                let error = try await transportError {
                    _ = try await client.collect(HTTPRequest(port: server.port), upTo: 9)
                }
                #expect(error.code == .trustRefused)
                #expect(server.requests.count == round)
            }
        }
    }

    /// A connection that the new policy accepts as well stays in use.
    @Test(arguments: ScriptedVersion.allCases)
    func aConnectionThatIsStillAcceptedStays(version: ScriptedVersion) async throws {
        let holder = PolicyHolder(right)
        try await ScriptedServer.with(tls: ServerTLS(world.leaf), version: version) { _ in
            [.respond("x")]
        } _: { server in
            let client = HTTPClient(configuration: configuration(holder))
            _ = try await client.collect(HTTPRequest(port: server.port), upTo: 9)
            holder.replace(with: alsoRight)
            _ = try await client.collect(HTTPRequest(port: server.port), upTo: 9)
            #expect(server.connectionCount == 1)
        }
    }

    /// A response on its way is cut off, and its reader gets the verdict.
    @Test(arguments: ScriptedVersion.allCases)
    func anExchangeUnderWayFailsWithTheVerdict(version: ScriptedVersion) async throws {
        let holder = PolicyHolder(right)
        try await ScriptedServer.with(tls: ServerTLS(world.leaf), version: version) { _ in
            [.text("HTTP/1.1 200 OK\nContent-Length: 9\n\nhalf")]
        } _: { server in
            let client = HTTPClient(configuration: configuration(holder))
            let error = try await transportError {
                try await client.execute(HTTPRequest(port: server.port)) { _, body in
                    holder.replace(with: wrong)
                    while try await body.next() != nil {}
                }
            }
            #expect(error.code == .trustRefused)
            #expect(error.verdict?.finding.code == .pinMismatch)
            await client.untilAllAreClosed()
        }
    }

    /// The change comes while the server is judged by the old policy: the connection is not handed out.
    @Test(arguments: ScriptedVersion.allCases)
    func aChangeDuringTheHandshakeIsNotMissed(version: ScriptedVersion) async throws {
        let holder = PolicyHolder(right)
        let inner = TrustContext.policies(holder, anchors: .only([world.root.view])).withoutVerdictCache()
        let wrong = self.wrong
        let trust = TrustContext(
            name: "changing", snapshot: inner.readSnapshot, changes: inner.policyChanges
        ) { chain, subject, time in
            let judgement = inner.judge(chain, for: subject, at: time)
            holder.replace(with: wrong)
            return judgement
        }
        try await ScriptedServer.with(tls: ServerTLS(world.leaf), version: version) { _ in
            [.respond("x")]
        } _: { server in
            let client = HTTPClient(configuration: world.configuration(trust: trust))
            let error = try await transportError {
                _ = try await client.collect(HTTPRequest(port: server.port), upTo: 9)
            }
            #expect(error.code == .trustRefused)
            #expect(server.requests.isEmpty)
        }
    }

    /// Two clients with two policies: what one has opened is not there for the other.
    @Test(arguments: ScriptedVersion.allCases)
    func twoPoliciesNeverShareAConnection(version: ScriptedVersion) async throws {
        try await ScriptedServer.with(tls: ServerTLS(world.leaf), version: version) { _ in
            [.respond("x")]
        } _: { server in
            let lenient = HTTPClient(configuration: configuration(PolicyHolder(right)))
            let strict = HTTPClient(configuration: configuration(PolicyHolder(wrong)))
            _ = try await lenient.collect(HTTPRequest(port: server.port), upTo: 9)
            let error = try await transportError {
                _ = try await strict.collect(HTTPRequest(port: server.port), upTo: 9)
            }
            #expect(error.code == .trustRefused)
            #expect(server.requests.count == 1)
        }
    }
}
