import HTTPTypes
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import Testing

/// Replacing the policy while connections are open.
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

    /// An idle connection is closed at once, without a request. The next request uses the new policy.
    @Test(arguments: ScriptedVersion.allCases)
    func anIdleConnectionThatTheNewPolicyRefusesIsClosed(version: ScriptedVersion) async throws {
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

    /// A request directly after the change is never sent on a connection that the new policy refuses.
    @Test(arguments: ScriptedVersion.allCases)
    func noRequestPrecedesTheChange(version: ScriptedVersion) async throws {
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

    /// A connection that the new policy also accepts stays in use.
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

    /// A response in transfer is cut, and its reader gets the verdict.
    @Test(arguments: ScriptedVersion.allCases)
    func anExchangeInProgressFailsWithTheVerdict(version: ScriptedVersion) async throws {
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

    /// The policy changes while the old policy verifies the server: the connection is not used.
    @Test(arguments: ScriptedVersion.allCases)
    func aChangeDuringTheHandshakeIsDetected(version: ScriptedVersion) async throws {
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

    /// A policy that does not announce its change. The next request detects the change before it is sent.
    private func silent(_ holder: PolicyHolder) -> TrustContext {
        let inner = TrustContext.policies(holder, anchors: .only([world.root.view]))
        return TrustContext(
            name: "silent", snapshot: inner.readSnapshot, changes: { AsyncStream { $0.finish() } }
        ) { inner.judge($0, for: $1, at: $2) }
    }

    /// Sends two requests on one connection, and replaces the policy while the second request waits for the
    /// connection.
    private func changeWhileWaiting(
        to policy: PinningPolicy,
        _ body: @Sendable (ScriptedServer, Result<CollectedResponse, any Error>) async throws -> Void
    ) async throws {
        let holder = PolicyHolder(right)
        let release = Trigger()
        try await ScriptedServer.with(tls: ServerTLS(world.leaf)) {
            $0.number == 0 ? [.wait(release), .respond("1")] : [.respond("2")]
        } _: { server in
            var configuration = world.configuration(trust: silent(holder))
            configuration.maximumConnectionsPerHost = 1
            let client = HTTPClient(configuration: configuration)
            async let first = client.collect(HTTPRequest(port: server.port), upTo: 9)
            await server.waitForRequests(1)
            async let second = client.collect(HTTPRequest(port: server.port), upTo: 9)
            while client.waitingCount < 1 { await Task.yield() }
            holder.replace(with: policy)
            release.fire()
            #expect(try await first.text == "1")
            let outcome: Result<CollectedResponse, any Error>
            do { outcome = .success(try await second) } catch { outcome = .failure(error) }
            try await body(server, outcome)
            await client.shutdown()
        }
    }

    /// A waiting request is not sent on a connection that the current policy refuses.
    @Test func aWaitingRequestDoesNotUseARefusedConnection() async throws {
        try await changeWhileWaiting(to: wrong) { server, outcome in
            let error = #expect(throws: TransportError.self) { try outcome.get() }
            #expect(error?.code == .trustRefused)
            #expect(error?.verdict?.policyName == "wrong")
            #expect(server.requests.count == 1)
        }
    }

    /// The connection is used if the current policy accepts it.
    @Test func aWaitingRequestUsesAConnectionThatIsStillAccepted() async throws {
        try await changeWhileWaiting(to: alsoRight) { server, outcome in
            #expect((try? outcome.get())?.text == "2")
            #expect(server.connectionCount == 1)
        }
    }

    /// Two clients with two policies do not share connections.
    @Test(arguments: ScriptedVersion.allCases)
    func clientsWithDifferentPoliciesShareNoConnection(version: ScriptedVersion) async throws {
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
