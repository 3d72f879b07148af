import HTTPTypes
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import Testing

/// Requests with a trust of their own.
@Suite(.timeLimit(.minutes(1))) struct RequestTrustTests {
    private let world: PinnedWorld

    init() throws {
        world = try PinnedWorld()
    }

    private var lax: RequestTrust { RequestTrust(.dangerouslyAcceptAnyCertificate()) }

    private func policy(_ identity: Identity) throws -> PinningPolicy {
        try PinningPolicy(
            name: "test",
            rules: [PinningRule(HostPattern(PinnedWorld.host), pins: PinSet([Pin(identity.spkiDigest)]))],
            backupPins: .off)
    }

    private func pinned(_ identity: Identity) throws -> TrustContext {
        .policy(try policy(identity), anchors: .only([world.root.view]))
    }

    private func get(_ client: HTTPClient, _ port: UInt16, _ trust: RequestTrust?) async throws -> CollectedResponse {
        try await client.collect(HTTPRequest(port: port), upTo: 9, options: RequestOptions(trust: trust))
    }

    private func refusal(_ client: HTTPClient, _ port: UInt16, _ trust: RequestTrust?) async throws -> TransportError {
        try await transportError { _ = try await get(client, port, trust) }
    }

    // MARK: Attacks

    /// Attack: a request with a lax trust opens a connection to an impostor. No other request may use the connection,
    /// while it is open. The second lax request shows that it could be used.
    @Test(arguments: ScriptedVersion.allCases)
    func aLaxConnectionServesNoOtherRequest(version: ScriptedVersion) async throws {
        try await ScriptedServer.with(tls: ServerTLS(world.rogue), version: version) { _ in
            [.respond("x")]
        } _: { server in
            let client = HTTPClient(configuration: world.configuration())
            let lax = lax
            #expect(try await get(client, server.port, lax).text == "x")
            #expect(client.live.count == 1)
            for trust in [nil, RequestTrust(world.trust), RequestTrust(try pinned(world.leaf))] {
                #expect(try await refusal(client, server.port, trust).code == .trustRefused)
            }
            #expect(server.requests.count == 1)
            let connections = server.connectionCount
            #expect(try await get(client, server.port, lax).text == "x")
            #expect(server.connectionCount == connections)
            await client.shutdown()
        }
    }

    /// The same while the lax request is in progress: the strict request does not wait for its connection.
    @Test(arguments: ScriptedVersion.allCases)
    func aLaxConnectionIsNotAwaited(version: ScriptedVersion) async throws {
        let release = Trigger()
        try await ScriptedServer.with(tls: ServerTLS(world.rogue), version: version) { _ in
            [.wait(release), .respond("x")]
        } _: { server in
            var configuration = world.configuration()
            configuration.maximumConnectionsPerHost = 1
            let client = HTTPClient(configuration: configuration)
            let lax = lax
            async let first = get(client, server.port, lax)
            await server.waitForRequests(1)
            let error = try await refusal(client, server.port, nil)
            #expect(error.code == .trustRefused)
            release.fire()
            let answer = try await first
            #expect(answer.text == "x")
            #expect(server.requests.count == 1)
            await client.shutdown()
        }
    }

    /// Attack: the client itself is lax, and its connection to an impostor is idle. A strict request refuses the
    /// impostor.
    @Test(arguments: ScriptedVersion.allCases)
    func aStrictRequestDoesNotUseTheConnectionsOfALaxClient(version: ScriptedVersion) async throws {
        try await ScriptedServer.with(tls: ServerTLS(world.rogue), version: version) { _ in
            [.respond("x")]
        } _: { server in
            let configuration = world.configuration(trust: .dangerouslyAcceptAnyCertificate())
            let client = HTTPClient(configuration: configuration)
            let answer = try await get(client, server.port, nil)
            #expect(answer.text == "x")
            let error = try await refusal(client, server.port, RequestTrust(world.trust))
            #expect(error.code == .trustRefused)
            #expect(server.requests.count == 1)
            await client.shutdown()
        }
    }

    /// Attack: one trust has accepted the chain, and its verdict is cached. A trust with other pins evaluates the chain
    /// itself.
    @Test func cachedVerdictsDoNotCross() async throws {
        try await ScriptedServer.with(tls: ServerTLS(world.leaf)) { _ in
            [.respond("x", fields: ["Connection: close"])]
        } _: { server in
            let client = HTTPClient(configuration: world.configuration())
            let right = RequestTrust(try pinned(world.leaf))
            for trust in [nil, right] {
                #expect(try await get(client, server.port, trust).facts.verdict?.isFromCache == false)
                // Another test that loads the system's roots drops the entries.
                while try await get(client, server.port, trust).facts.verdict?.isFromCache != true {}
            }
            let requests = server.requests.count
            let error = try await refusal(client, server.port, RequestTrust(try pinned(world.rogue)))
            #expect(error.verdict?.finding.code == .pinMismatch)
            #expect(server.requests.count == requests)
            await client.shutdown()
        }
    }

    // MARK: Identity

    /// Requests with the same object share a connection. Two objects with the same context do not.
    @Test(arguments: ScriptedVersion.allCases)
    func theObjectSelectsTheConnections(version: ScriptedVersion) async throws {
        try await ScriptedServer.with(tls: ServerTLS(world.leaf), version: version) { _ in
            [.respond("x")]
        } _: { server in
            let client = HTTPClient(configuration: world.configuration())
            let context = try pinned(world.leaf)
            let (one, other) = (RequestTrust(context), RequestTrust(context))
            for _ in 0..<3 {
                for trust in [one, other] { #expect(try await get(client, server.port, trust).text == "x") }
            }
            #expect(server.connectionCount == 2)
            await client.shutdown()
            #expect(client.live.isEmpty)
            while client.freeConnections < TransportLimits().connections { await Task.yield() }
        }
    }

    /// An address and a trust together are another choice than either alone.
    @Test func anAddressAndATrustCombine() async throws {
        try await ScriptedServer.with(tls: ServerTLS(world.leaf)) { _ in
            [.respond("x")]
        } _: { server in
            let client = HTTPClient(configuration: world.configuration())
            let address = try ConnectAddress("127.0.0.1:\(server.port)")
            let trust = RequestTrust(try pinned(world.leaf))
            for _ in 0..<2 {
                for options in [
                    RequestOptions(), RequestOptions(address: address), RequestOptions(trust: trust),
                    RequestOptions(address: address, trust: trust),
                ] {
                    _ = try await client.collect(HTTPRequest(port: server.port), upTo: 9, options: options)
                }
            }
            #expect(server.connectionCount == 4)
            var options = RequestOptions(address: address, trust: trust)
            options.address = nil
            options.trust = nil
            _ = try await client.collect(HTTPRequest(port: server.port), upTo: 9, options: options)
            #expect(server.connectionCount == 4)
            await client.shutdown()
        }
    }

    /// Requests that each create an object do not accumulate pools.
    @Test func unusedObjectsAreForgotten() async throws {
        try await ScriptedServer.with(tls: ServerTLS(world.leaf)) { _ in
            [.respond("x", fields: ["Connection: close"])]
        } _: { server in
            let client = HTTPClient(configuration: world.configuration())
            for _ in 0..<100 { _ = try await get(client, server.port, RequestTrust(world.trust)) }
            await client.untilAllAreClosed()
            // One more request removes the pools whose connections were still closing.
            _ = try await get(client, server.port, RequestTrust(world.trust))
            #expect(client.poolCount <= 65)
            await client.shutdown()
        }
    }

    // MARK: Changes, redirects, reports

    /// A changed policy closes the connections that it verified, and only those.
    @Test(arguments: [true, false]) func eachPolicyClosesItsOwnConnections(ofTheClient: Bool) async throws {
        let (clients, requests) = (PolicyHolder(try policy(world.leaf)), PolicyHolder(try policy(world.leaf)))
        let anchors = TrustAnchors.only([world.root.view])
        try await ScriptedServer.with(tls: ServerTLS(world.leaf)) { _ in
            [.respond("x")]
        } _: { server in
            let client = HTTPClient(
                configuration: world.configuration(trust: .policies(clients, anchors: anchors)))
            let own = RequestTrust(.policies(requests, anchors: anchors))
            for trust in [nil, own] { _ = try await get(client, server.port, trust) }
            #expect(client.live.count == 2)
            (ofTheClient ? clients : requests).replace(with: try policy(world.rogue))
            await server.waitForClosed(1)
            let (changed, unchanged): (RequestTrust?, RequestTrust?) = ofTheClient ? (nil, own) : (own, nil)
            #expect(try await get(client, server.port, unchanged).text == "x")
            let error = try await refusal(client, server.port, changed)
            #expect(error.verdict?.finding.code == .pinMismatch)
            // The unchanged trust still uses its first connection.
            #expect(server.requests.count == 3)
            #expect(server.connectionCount == 3)
            await client.shutdown()
        }
    }

    /// The trust also applies to the host of a redirect: a strict trust is not replaced by a lax client's.
    @Test func aRedirectKeepsTheTrust() async throws {
        try await ScriptedServer.with(tls: ServerTLS(world.rogue), { _ in [.respond("impostor")] }) { impostor in
            let location = "Location: https://\(PinnedWorld.host):\(impostor.port)/"
            try await ScriptedServer.with(
                tls: ServerTLS(world.leaf), { _ in [.respond(status: "302 Found", fields: [location])] }
            ) { server in
                let configuration = world.configuration(trust: .dangerouslyAcceptAnyCertificate())
                let client = HTTPClient(configuration: configuration)
                for (trust, isRefused) in [(RequestTrust(world.trust), true), (nil, false)] as [(RequestTrust?, Bool)] {
                    let options = RequestOptions(redirects: .follow(), trust: trust)
                    let error = try await transportErrorOrNil {
                        _ = try await client.collect(HTTPRequest(port: server.port), upTo: 9, options: options)
                    }
                    #expect((error?.code == .trustRefused) == isRefused)
                    #expect(impostor.requests.isEmpty == isRefused)
                }
                await client.shutdown()
            }
        }
    }

    /// Verdicts are reported to the sink of the request's context, and not to that of the client.
    @Test func theContextsOwnSinkGetsTheVerdict() async throws {
        let (clients, own) = (RecordedVerdicts(), RecordedVerdicts())
        try await ScriptedServer.with(tls: ServerTLS(world.rogue)) { _ in
            [.respond("x")]
        } _: { server in
            let client = HTTPClient(configuration: world.configuration(trust: world.trust.reporting(to: clients)))
            let trust = RequestTrust(try pinned(world.leaf).reporting(to: own))
            #expect(try await refusal(client, server.port, trust).code == .trustRefused)
        }
        #expect(clients.all.isEmpty)
        #expect(own.all.count == 1)
        #expect(own.all.first?.permitsConnection == false)
    }
}
