import HTTPTypes
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import NIOCore
import Testing

/// Connections that are opened before a request needs them.
@Suite(.timeLimit(.minutes(1))) struct PrewarmTests {
    private let world: PinnedWorld
    private let plain = TransportConfiguration.forPlainServers

    init() throws {
        world = try PinnedWorld()
    }

    private func url(_ port: UInt16, _ scheme: String = "https", host: String = PinnedWorld.host) -> String {
        "\(scheme)://\(host):\(port)/ignored"
    }

    /// Returns when the client has returned the permits of all connections.
    private func untilAllPermitsAreFree(_ client: HTTPClient) async {
        while client.freeConnections < TransportLimits().connections, !Task.isCancelled { await Task.yield() }
    }

    // MARK: Opening

    /// The connections are verified and idle, and requests use them. One connection suffices with HTTP/2.
    @Test(arguments: ScriptedVersion.allCases)
    func requestsUseTheConnections(version: ScriptedVersion) async throws {
        let release = Trigger()
        let expected = version == .http2 ? 1 : 3
        try await ScriptedServer.with(tls: ServerTLS(world.leaf), version: version) { _ in
            [.wait(release), .respond("x")]
        } _: { server in
            let client = HTTPClient(configuration: world.configuration())
            let ready = try await client.prewarm(url(server.port), connections: 3)
            #expect(ready.opened == expected)
            #expect(ready.available == expected)
            #expect(ready.failure == nil)
            #expect(server.connectionCount == expected)
            #expect(server.requests.isEmpty)
            #expect(client.live.allSatisfy { $0.subject.host.text == PinnedWorld.host && $0.presented != nil })
            // They are ready, so that another call opens none.
            let again = try await client.prewarm(url(server.port), connections: 3)
            #expect(again.opened == 0)
            #expect(again.available == expected)
            try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<3 {
                    group.addTask { try await client.collect(HTTPRequest(port: server.port), upTo: 9).text }
                }
                await server.waitForRequests(3)
                release.fire()
                for try await text in group { #expect(text == "x") }
            }
            #expect(server.connectionCount == expected)
            await client.shutdown()
            await untilAllPermitsAreFree(client)
        }
    }

    /// Two calls at the same time open as many connections as the larger of them needs.
    @Test func callsShareTheConnections() async throws {
        try await ScriptedServer.with(tls: ServerTLS(world.leaf)) { _ in
            []
        } _: { server in
            let client = HTTPClient(configuration: world.configuration())
            async let first = client.prewarm(url(server.port), connections: 3)
            async let second = client.prewarm(url(server.port), connections: 2)
            let opened = try await [first.opened, second.opened]
            #expect(opened.reduce(0, +) == 3)
            #expect(server.connectionCount == 3)
            await client.shutdown()
        }
    }

    /// The address and the trust select the connections: no other request uses them.
    @Test func theAddressAndTheTrustSelectTheConnections() async throws {
        try await ScriptedServer.with(tls: ServerTLS(world.rogue)) { _ in
            [.respond("x")]
        } _: { server in
            let client = HTTPClient(configuration: world.configuration())
            let address = try ConnectAddress("127.0.0.1:\(server.port)")
            let lax = RequestTrust(.dangerouslyAcceptAnyCertificate())
            let ready = try await client.prewarm(url(8443), address: address, trust: lax)
            #expect(ready.opened == 1)
            let strict = RequestOptions(address: address)
            let error = try await transportError {
                _ = try await client.collect(HTTPRequest(port: 8443), upTo: 9, options: strict)
            }
            #expect(error.code == .trustRefused)
            #expect(server.requests.isEmpty)
            let options = RequestOptions(address: address, trust: lax)
            let connections = server.connectionCount
            #expect(try await client.collect(HTTPRequest(port: 8443), upTo: 9, options: options).text == "x")
            #expect(server.connectionCount == connections)
            await client.shutdown()
        }
    }

    // MARK: Refusals and failures

    /// Attack: an impostor answers. The call throws the verdict, and the reporter gets it.
    @Test(arguments: ScriptedVersion.allCases)
    func anImpostorIsRefusedAndReported(version: ScriptedVersion) async throws {
        let verdicts = RecordedVerdicts()
        try await ScriptedServer.with(tls: ServerTLS(world.rogue), version: version) { _ in
            [.respond("x")]
        } _: { server in
            let client = HTTPClient(configuration: world.configuration(trust: world.trust.reporting(to: verdicts)))
            let error = try await transportError { try await client.prewarm(url(server.port), connections: 3) }
            #expect(error.code == .trustRefused)
            #expect(error.verdict?.permitsConnection == false)
            // The server's version is unknown, so only one connection was tried.
            #expect(verdicts.all.map(\.permitsConnection) == [false])
            #expect(server.connectionCount == 1)
            #expect(client.live.isEmpty)
            await untilAllPermitsAreFree(client)
        }
    }

    @Test func anUnreachableServerIsAnError() async throws {
        let client = HTTPClient(configuration: plain)
        let error = try await RefusingPort.with { port in
            try await transportError {
                try await client.prewarm(url(port, "http", host: "127.0.0.1"), connections: 2)
            }
        }
        #expect(error.code == .connectionRefused)
        await untilAllPermitsAreFree(client)
    }

    /// If only some connections cannot be opened, the result has both the number and the error.
    @Test func aPartialFailureIsReported() async throws {
        let virtual = VirtualWorld()
        virtual.failNext([MissingError()])
        let client = virtual.client()
        let ready = try await client.prewarm("http://127.0.0.1:5000", connections: 3)
        #expect(ready.opened == 2)
        #expect(ready.available == 2)
        #expect(ready.failure?.code == .connectionRefused)
        await client.shutdown()
        await untilAllPermitsAreFree(client)
    }

    /// A changed policy closes connections that no request has used.
    @Test func aChangedPolicyClosesTheConnections() async throws {
        let policies = try [world.leaf, world.rogue].map { identity in
            try PinningPolicy(
                name: "test",
                rules: [PinningRule(HostPattern(PinnedWorld.host), pins: PinSet([Pin(identity.spkiDigest)]))],
                backupPins: .off)
        }
        let holder = PolicyHolder(policies[0])
        try await ScriptedServer.with(tls: ServerTLS(world.leaf)) { _ in
            [.respond("x")]
        } _: { server in
            let trust = TrustContext.policies(holder, anchors: .only([world.root.view]))
            let client = HTTPClient(configuration: world.configuration(trust: trust))
            #expect(try await client.prewarm(url(server.port), connections: 2).opened == 2)
            holder.replace(with: policies[1])
            await server.waitForClosed(2)
            await client.untilAllAreClosed()
            let error = try await transportError { try await client.prewarm(url(server.port)) }
            #expect(error.verdict?.finding.code == .pinMismatch)
        }
    }

    /// The server closes the idle connection at its first request. A safe request is repeated on another one.
    @Test(arguments: ScriptedVersion.allCases)
    func aConnectionThatTheServerClosesIsReplaced(version: ScriptedVersion) async throws {
        try await ScriptedServer.with(version: version) {
            $0.connection == 0 ? [.close] : [.respond("x")]
        } _: { server in
            let client = HTTPClient(configuration: .plain(version))
            let ready = try await client.prewarm(url(server.port, "http", host: "127.0.0.1"))
            #expect(ready.opened == 1)
            let answer = try await client.collect(.plain(port: server.port), upTo: 9)
            #expect(answer.text == "x")
            #expect(server.connectionCount == 2)
            await client.shutdown()
        }
    }

    /// The same for a request that is not safe to repeat.
    @Test(arguments: ScriptedVersion.allCases)
    func anUnsafeRequestIsNotRepeated(version: ScriptedVersion) async throws {
        try await ScriptedServer.with(version: version) { _ in
            [.close]
        } _: { server in
            let client = HTTPClient(configuration: .plain(version))
            _ = try await client.prewarm(url(server.port, "http", host: "127.0.0.1"))
            let error = try await transportError {
                _ = try await client.collect(.plain(.post, port: server.port), body: .bytes([1]), upTo: 9)
            }
            #expect(error.code == .connectionClosed)
            #expect(server.requests.count == 1)
            await client.shutdown()
        }
    }

    // MARK: Limits

    @Test(arguments: [(2, 256, 2), (8, 1, 1), (1, 1, 1)])
    func limitsAreKept(host: Int, client total: Int, expected: Int) async throws {
        try await ScriptedServer.with(tls: ServerTLS(world.leaf)) { _ in
            [.respond("x")]
        } _: { server in
            var configuration = world.configuration()
            configuration.maximumConnectionsPerHost = host
            configuration.limits.connections = total
            let client = HTTPClient(configuration: configuration)
            for connections in [5, Int.max] {
                let ready = try await client.prewarm(url(server.port), connections: connections)
                #expect(ready.available == expected)
            }
            #expect(server.connectionCount == expected)
            #expect(try await client.collect(HTTPRequest(port: server.port), upTo: 9).text == "x")
            #expect(server.connectionCount == expected)
            await client.shutdown()
        }
    }

    /// An unused connection is closed after the idle timeout, and not before.
    @Test func unusedConnectionsTimeOut() async throws {
        let virtual = VirtualWorld()
        let client = virtual.client { $0.keepAlive = .seconds(30) }
        #expect(try await client.prewarm("http://127.0.0.1:5000", connections: 2).opened == 2)
        await virtual.pass(.seconds(29))
        #expect(client.live.count == 2)
        await virtual.pass(.seconds(1))
        await client.untilAllAreClosed()
        #expect(try await client.prewarm("http://127.0.0.1:5000").opened == 1)
        #expect(virtual.attempts == 3)
        await client.shutdown()
    }

    /// A server that accepts connections and never answers. `timeout` limits the handshake.
    @Test func theTimeoutLimitsTheHandshake() async throws {
        var settings = ScriptedServer.Settings()
        settings.readsRequests = false
        try await ScriptedServer.with(settings) { server in
            let client = HTTPClient(configuration: world.configuration())
            let error = try await transportError {
                try await client.prewarm(url(server.port), timeout: .milliseconds(200))
            }
            #expect(error.code == .timedOut)
            #expect(error.phase == .tls)
            await untilAllPermitsAreFree(client)
        }
    }

    // MARK: Cancellation and shutdown

    /// A cancelled call closes the connections in progress and returns their permits.
    @Test func aCancelledCallFreesItsConnections() async throws {
        var settings = ScriptedServer.Settings()
        settings.readsRequests = false
        try await ScriptedServer.with(settings) { server in
            var configuration = world.configuration()
            configuration.httpVersions = .http1Only
            let client = HTTPClient(configuration: configuration)
            let url = url(server.port)
            let call = Task {  // reason: the test cancels it
                try await client.prewarm(url, connections: 3)
            }
            while server.connectionCount < 3, !Task.isCancelled { await Task.yield() }
            call.cancel()
            let error = try await transportError { _ = try await call.value }
            #expect(error.code == .cancelled)
            await server.waitForClosed(3)
            await untilAllPermitsAreFree(client)
            #expect(client.live.isEmpty)
        }
    }

    @Test func aCallCancelledBeforeItStarts() async throws {
        let virtual = VirtualWorld()
        let client = virtual.client()
        let trigger = Trigger()
        let call = Task {  // reason: the test cancels it
            await trigger.wait()
            _ = try await client.prewarm("http://127.0.0.1:5000")
        }
        call.cancel()
        trigger.fire()
        let error = try await transportError { try await call.value }
        #expect(error.code == .cancelled)
        #expect(virtual.attempts == 0)
    }

    /// A shutdown ends a call in progress and refuses later ones.
    @Test func aShutdownEndsTheCall() async throws {
        var settings = ScriptedServer.Settings()
        settings.readsRequests = false
        try await ScriptedServer.with(settings) { server in
            let client = HTTPClient(configuration: world.configuration())
            let url = url(server.port)
            let call = Task {  // reason: the shutdown happens while it is in progress
                try await client.prewarm(url)
            }
            while server.connectionCount < 1, !Task.isCancelled { await Task.yield() }
            await client.shutdown()
            let ended = try await transportError { _ = try await call.value }
            #expect(ended.code == .shutDown)
            let refused = try await transportError { try await client.prewarm(url) }
            #expect(refused.code == .shutDown)
        }
    }

    // MARK: Bad input

    @Test(arguments: [
        "", "chat.example.com", "wss://chat.example.com", "ftp://chat.example.com", "https://", "https://user@host",
        "https://chat.example.com:0", "https://a b",
    ])
    func invalidURLs(url: String) async throws {
        let client = HTTPClient(configuration: plain)
        let error = try await transportError { try await client.prewarm(url) }
        #expect(error.code == .invalidURL)
    }

    @Test(arguments: [0, -1, Int.min]) func invalidNumbers(connections: Int) async throws {
        let client = HTTPClient(configuration: plain)
        let error = try await transportError {
            try await client.prewarm("https://chat.example.com", connections: connections)
        }
        #expect(error.code == .invalidRequest)
    }

    /// Without idle connections, nothing can be opened in advance. Without TLS, only this machine is permitted.
    @Test func unsuitableConfigurations() async throws {
        let virtual = VirtualWorld()
        let withoutReuse = virtual.client { $0.keepAlive = .zero }
        let error = try await transportError { try await withoutReuse.prewarm("http://127.0.0.1:5000") }
        #expect(error.code == .invalidConfiguration)
        let remote = try await transportError { try await virtual.client().prewarm("http://example.com") }
        #expect(remote.code == .cleartextRefused)
        #expect(virtual.attempts == 0)
    }
}
