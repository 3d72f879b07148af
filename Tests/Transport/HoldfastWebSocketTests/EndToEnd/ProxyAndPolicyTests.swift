import HoldfastTestSupport
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import HoldfastWebSocket
import Testing

/// Tests that WebSockets use the same dialler as HTTP, with its proxies and its list of open connections.
@Suite struct ProxyAndPolicyTests {
    private static let host = "chat.example.com"
    private let factory = CertificateFactory()
    private let root: Identity
    private let leaf: Identity
    private let other: Identity

    init() throws {
        root = try factory.authority("Root")
        leaf = try factory.leaf([Self.host], signedBy: root)
        other = try factory.leaf([Self.host], signedBy: root)
    }

    private func policy(_ identity: Identity) throws -> PinningPolicy {
        try PinningPolicy(
            name: "pins", rules: [PinningRule(HostPattern(Self.host), pins: PinSet([Pin(identity.spkiDigest)]))],
            backupPins: .off)
    }

    private func configuration(
        _ holder: PolicyHolder, reportingTo sink: RecordedVerdicts? = nil
    ) -> TransportConfiguration {
        TransportConfiguration(
            trust: .policies(holder, anchors: .only([root.view])).reporting(to: sink), clock: .fixed(factory.now),
            hostOverrides: [Self.host: "127.0.0.1"])
    }

    @Test(arguments: [ProxyServer.Kind.http, .socks5])
    func connectsThroughAProxy(kind: ProxyServer.Kind) async throws {
        let server = try await WebSocketTestServer.start(identity: leaf)
        let port = try #require(UInt16(exactly: server.port))
        let steps: [ScriptedProxyStep] =
            kind == .http
            ? [.awaitHead, .text("HTTP/1.1 200 OK\r\n\r\n"), .tunnel(to: port)]
            : [
                .await(3), .send([5, 0]), .await(4 + 1 + 16 + 2), .send([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]),
                .tunnel(to: port),
            ]
        for (pinned, isAccepted) in [(leaf, true), (other, false)] {
            let holder = PolicyHolder(try policy(pinned))
            try await ScriptedProxy.with(steps) { proxy in
                var configuration = configuration(holder)
                configuration.hostOverrides = ["proxy.example.net": "127.0.0.1"]
                configuration.proxies = .server(
                    try ProxyServer(kind, host: CanonicalHost("proxy.example.net"), port: proxy.port))
                let client = WebSocketClient(configuration: configuration)
                do {
                    let connection = try await client.connect("wss://\(Self.host):\(port)/chat")
                    #expect(isAccepted)
                    try await connection.send(.text("over there"))
                    var messages = connection.messages.makeAsyncIterator()
                    #expect(try await messages.next() == .text("over there"))
                    await connection.close()
                } catch let error as TransportError {
                    #expect(!isAccepted)
                    #expect(error.verdict?.finding.code == .pinMismatch)
                }
                #expect(proxy.heard.count == 1)
            }
        }
        await server.stop()
    }

    /// A live WebSocket is closed when a new policy refuses its server.
    @Test func changedPolicyClosesALiveConnection() async throws {
        let server = try await WebSocketTestServer.start(identity: leaf)
        let holder = PolicyHolder(try policy(leaf))
        let recording = RecordingLogHandler()
        let sink = RecordedVerdicts()
        let connection = try await WebSocketClient(
            configuration: configuration(holder, reportingTo: sink), logger: recording.logger()
        ).connect("wss://\(Self.host):\(server.port)/chat")
        try await connection.send(.text("a"))
        var messages = connection.messages.makeAsyncIterator()
        #expect(try await messages.next() == .text("a"))
        holder.replace(with: try policy(other))
        let error = await #expect(throws: TransportError.self) { _ = try await connection.messages.first { _ in true } }
        #expect(error?.code == .trustRefused)
        #expect(error?.verdict?.finding.code == .pinMismatch)
        // Senders receive the same error.
        let sending = await #expect(throws: TransportError.self) { try await connection.send(.text("b")) }
        #expect(sending?.verdict == error?.verdict)
        #expect(connection.closure?.isClean == false)
        #expect(recording.entries.contains { "\($0)".contains("changed policy") && "\($0)".contains("pinMismatch") })
        // A sink receives the verdict on the connection and the one of the new policy.
        #expect(sink.all.map(\.permitsConnection) == [true, false])
        #expect(sink.all.last?.finding.code == .pinMismatch)
        await server.stop()
    }

    /// A ping that waits for its pong and a reader that waits for a message fail with the verdict.
    @Test func waitingTasksReceiveTheVerdict() async throws {
        let holder = PolicyHolder(try policy(leaf))
        // The server grants the upgrade and then sends nothing.
        try await HoldfastTransportTestSupport.ScriptedServer.with(tls: ServerTLS(leaf)) { request in
            let key = WebSocketKey(request.field("Sec-WebSocket-Key") ?? "")?.accept ?? ""
            return [
                .text(
                    "HTTP/1.1 101 Switching Protocols\nUpgrade: websocket\nConnection: Upgrade\n"
                        + "Sec-WebSocket-Accept: \(key)\n\n"
                )
            ]
        } _: { server in
            let connection = try await WebSocketClient(configuration: configuration(holder))
                .connect("wss://\(Self.host):\(server.port)/chat")
            let message = Task { try await connection.messages.first { _ in true } }  // reason: awaited below
            let pong = Task { try await connection.ping() }  // reason: awaited below
            holder.replace(with: try policy(other))
            let reading = await #expect(throws: TransportError.self) { _ = try await message.value }
            #expect(reading?.verdict?.finding.code == .pinMismatch)
            let pinging = await #expect(throws: (any Error).self) { _ = try await pong.value }
            // A ping that starts after the cut finds the connection closed.
            #expect((pinging as? TransportError)?.verdict != nil || (pinging as? WebSocketError)?.code == .closed)
        }
    }

    /// If the policy changes before the server answers the upgrade, the attempt fails with the verdict.
    @Test func pendingUpgradeFailsWithTheVerdict() async throws {
        let holder = PolicyHolder(try policy(leaf))
        try await HoldfastTransportTestSupport.ScriptedServer.with(tls: ServerTLS(leaf)) { _ in
            []
        } _: { server in
            let configuration = configuration(holder)
            let connecting = Task {  // reason: awaited below
                try await WebSocketClient(configuration: configuration).connect(
                    "wss://\(Self.host):\(server.port)/chat")
            }
            await server.waitForRequests(1)
            holder.replace(with: try policy(other))
            let error = await #expect(throws: TransportError.self) { _ = try await connecting.value }
            #expect(error?.code == .trustRefused)
            #expect(error?.verdict?.finding.code == .pinMismatch)
        }
    }
}
