import HTTPTypes
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import Testing

/// Real proxies on the loopback interface. The client cannot resolve the host, so only the proxy can reach it.
@Suite struct ProxyTests {
    private static let proxyHost = "proxy.example.net"
    private static let login = ProxyCredentials(user: "somebody", password: "hunter2")
    private static let basic = "Basic c29tZWJvZHk6aHVudGVyMg=="
    /// Version, command, reserved, kind, length, name, port.
    private static let socksRequest = 4 + 1 + PinnedWorld.host.utf8.count + 2

    private let world: PinnedWorld
    private let proxyLeaf: Identity

    init() throws {
        world = try PinnedWorld()
        proxyLeaf = try world.factory.leaf([Self.proxyHost], signedBy: world.root)
    }

    private static func connects(to port: UInt16) -> [ScriptedProxyStep] {
        [.awaitHead, .text("HTTP/1.1 200 Connection established\r\nVia: test\r\n\r\n"), .tunnel(to: port)]
    }

    private static func socks(to port: UInt16, login: Bool = false) -> [ScriptedProxyStep] {
        let logIn: [ScriptedProxyStep] =
            login ? [.await(4), .send([5, 2]), .await(3 + 8 + 7), .send([1, 0])] : [.await(3), .send([5, 0])]
        return logIn + [.await(socksRequest), .send([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]), .tunnel(to: port)]
    }

    private func configuration(
        _ kind: ProxyServer.Kind, _ port: UInt16, login: Bool = false, trust: TrustContext? = nil
    ) throws -> TransportConfiguration {
        var configuration = TransportConfiguration(
            trust: trust ?? world.trust, clock: .fixed(world.factory.now),
            hostOverrides: [Self.proxyHost: "127.0.0.1"])
        configuration.proxies = .server(
            try ProxyServer(
                kind, host: CanonicalHost(Self.proxyHost), port: port, credentials: login ? Self.login : nil))
        configuration.proxyAnchors = .only([world.root.view])
        return configuration
    }

    /// Sends a request through a proxy. The server uses TLS with this identity.
    private func get(
        _ kind: ProxyServer.Kind, login: Bool = false, proxyTLS: ServerTLS? = nil, server identity: Identity,
        trust: TrustContext? = nil, steps: @escaping @Sendable (UInt16) -> [ScriptedProxyStep]
    ) async throws -> (answer: CollectedResponse, heard: [String], requests: [ScriptedRequest]) {
        try await ScriptedServer.with(tls: ServerTLS(identity)) { _ in
            [.respond("through")]
        } _: { server in
            try await ScriptedProxy.with(tls: proxyTLS, steps(server.port)) { proxy in
                let client = HTTPClient(
                    configuration: try configuration(kind, proxy.port, login: login, trust: trust))
                let answer = try await client.collect(HTTPRequest(port: 8443), upTo: 99)
                await client.shutdown()
                return (answer, proxy.heard.map { String(decoding: $0, as: UTF8.self) }, server.requests)
            }
        }
    }

    @Test func connect() async throws {
        let (answer, heard, requests) = try await get(.http, login: true, server: world.leaf) { Self.connects(to: $0) }
        #expect(answer.text == "through")
        #expect(answer.facts.verdict?.subject?.host.text == PinnedWorld.host)
        #expect(
            heard == [
                "CONNECT chat.example.com:8443 HTTP/1.1\r\nHost: chat.example.com:8443\r\n"
                    + "Proxy-Authorization: \(Self.basic)\r\n\r\n"
            ])
        // The server does not receive the proxy's credentials.
        #expect(requests.count == 1)
        #expect(requests[0].field("proxy-authorization") == nil)
        #expect(requests[0].field("host") == "chat.example.com:8443")
    }

    /// TLS inside TLS: the system verification verifies the proxy for its own name, and the client's trust verifies
    /// the server.
    @Test func connectOverTLS() async throws {
        var proxyTLS = ServerTLS(proxyLeaf)
        proxyTLS.maximumVersion = .tls12
        proxyTLS.minimumVersion = .tls12
        let (answer, heard, _) = try await get(.https, proxyTLS: proxyTLS, server: world.leaf) {
            Self.connects(to: $0)
        }
        #expect(answer.text == "through")
        #expect(heard.count == 1)
        // The server's version, not the proxy's.
        #expect(answer.facts.tlsVersion == "TLSv1.3")
    }

    @Test(arguments: [true, false])
    func socks(login: Bool) async throws {
        let (answer, heard, _) = try await get(.socks5, login: login, server: world.leaf) {
            Self.socks(to: $0, login: login)
        }
        #expect(answer.text == "through")
        // The proxy resolved the name; this process did not.
        #expect(heard.first?.contains(PinnedWorld.host) == true)
    }

    /// A proxy that terminates TLS with a certificate that the machine trusts is refused because of the pins.
    @Test(arguments: [ProxyServer.Kind.http, .https, .socks5])
    func pinsHoldThroughTheProxy(kind: ProxyServer.Kind) async throws {
        let interceptor = try world.factory.leaf([PinnedWorld.host], signedBy: world.root)
        let policy = try PinningPolicy(
            name: "pinned",
            rules: [
                PinningRule(HostPattern(PinnedWorld.host), pins: PinSet([Pin(world.intermediate.spkiDigest)]))
            ], backupPins: .off)
        let trust = TrustContext.policy(policy, anchors: .only([world.root.view]))
        let tls = kind == .https ? ServerTLS(proxyLeaf) : nil
        let steps: @Sendable (UInt16) -> [ScriptedProxyStep] = {
            kind == .socks5 ? Self.socks(to: $0) : Self.connects(to: $0)
        }
        #expect(
            try await get(kind, proxyTLS: tls, server: world.leaf, trust: trust, steps: steps).answer.text
                == "through")
        let error = try await transportError {
            _ = try await get(kind, proxyTLS: tls, server: interceptor, trust: trust, steps: steps)
        }
        #expect(error.code == .trustRefused)
        #expect(error.phase == .tls)
        #expect(error.verdict?.finding.code == .pinMismatch)
        #expect(error.verdict?.subject?.host.text == PinnedWorld.host)
        #expect(error.proxy == nil)
    }

    /// A proxy with a certificate for a different name, or of an unknown authority, receives no credentials.
    @Test func aProxyIsVerifiedForItsOwnName() async throws {
        let other = try world.factory.leaf([PinnedWorld.host], signedBy: world.root)
        let rogue = try world.factory.leaf([Self.proxyHost], signedBy: world.factory.authority("Rogue"))
        for (identity, code) in [(other, TrustFinding.Code.hostMismatch), (rogue, .unknownIssuer)] {
            try await ScriptedProxy.with(tls: ServerTLS(identity), Self.connects(to: 1)) { proxy in
                // The client's trust for servers does not apply to the proxy.
                let client = HTTPClient(
                    configuration: try configuration(
                        .https, proxy.port, login: true, trust: .dangerouslyAcceptAnyCertificate()))
                let error = try await transportError {
                    _ = try await client.collect(HTTPRequest(port: 8443), upTo: 9)
                }
                #expect(error.code == .trustRefused)
                #expect(error.phase == .proxy)
                #expect(error.verdict?.finding.code == code)
                #expect(error.proxy?.code == .tls)
                #expect(proxy.heard == [[]])
            }
        }
    }

    static let failures: [(kind: ProxyServer.Kind, steps: [ScriptedProxyStep], code: ProxyFailure.Code, status: Int?)] =
        [
            (.http, [.awaitHead, .text("HTTP/1.1 407 Auth\r\nContent-Length: 0\r\n\r\n")], .authentication, 407),
            (.http, [.awaitHead, .text("HTTP/1.1 503 Busy\r\n\r\n")], .refused, 503),
            (.http, [.awaitHead, .text("ICY 200 OK\r\n\r\n")], .malformed, nil),
            (.http, [.send([5, 0])], .malformed, nil),
            (
                .http, [.awaitHead, .text("HTTP/1.1 200 OK\r\nX: " + String(repeating: "x", count: 70_000))], .tooLarge,
                nil
            ),
            (.http, [.awaitHead, .text("HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 200 OK\r\n\r\n")], .earlyBytes, nil),
            (.http, [.awaitHead, .text("HTTP/1.1 200 OK\r\n"), .close], .closed, nil),
            (.http, [.awaitHead, .close], .closed, nil),
            (.http, [.close], .closed, nil),
            (.socks5, [.await(3), .send([5, 0xFF])], .authentication, 255),
            (.socks5, [.await(3), .text("HTTP/1.1 400 Bad\r\n\r\n")], .malformed, nil),
            (.socks5, [.await(3), .send([5, 0]), .await(socksRequest), .send([5, 2, 0, 1])], .refused, 2),
            (.socks5, [.await(3), .send([5, 0]), .await(socksRequest), .send([5, 4])], .refused, 4),
            (
                .socks5,
                [.await(3), .send([5, 0]), .await(socksRequest), .send([5, 0, 0, 1, 0, 0, 0, 0, 0, 0, 22])],
                .earlyBytes, nil
            ),
            (.socks5, [.await(3), .send([5]), .close], .closed, nil),
        ]

    @Test(arguments: failures.indices)
    func aProxyThatFails(index: Int) async throws {
        let row = Self.failures[index]
        try await ScriptedProxy.with(row.steps) { proxy in
            let recording = RecordingLogHandler()
            let client = HTTPClient(
                configuration: try configuration(row.kind, proxy.port), logger: recording.logger())
            let error = try await transportError { _ = try await client.collect(HTTPRequest(port: 8443), upTo: 9) }
            #expect(error.code == .proxyFailed)
            #expect(error.phase == .proxy)
            #expect(error.proxy?.code == row.code)
            #expect(error.proxy?.status == row.status)
            await client.shutdown()
            #expect(client.live.isEmpty)
        }
    }

    /// A login that fails. No log line or error contains the credentials.
    @Test(arguments: [ProxyServer.Kind.http, .socks5])
    func credentialsAreNeitherLoggedNorInErrors(kind: ProxyServer.Kind) async throws {
        let steps: [ScriptedProxyStep] =
            kind == .http
            ? [.awaitHead, .text("HTTP/1.1 407 \(Self.basic) hunter2\r\nProxy-Authenticate: Basic\r\n\r\n")]
            : [.await(4), .send([5, 2]), .await(18), .send([1, 1])]
        try await ScriptedProxy.with(steps) { proxy in
            let recording = RecordingLogHandler()
            let configuration = try configuration(kind, proxy.port, login: true)
            let client = HTTPClient(configuration: configuration, logger: recording.logger())
            let error = try await transportError { _ = try await client.collect(HTTPRequest(port: 8443), upTo: 9) }
            #expect(error.proxy?.code == .authentication)
            var dumped = ""
            dump(error, to: &dumped)
            dump(configuration, to: &dumped)
            let all = "\(recording.entries) \(error) \(dumped)"
            for secret in ["hunter2", "somebody", Self.basic] {
                #expect(!all.contains(secret))
            }
            #expect(!recording.entries.isEmpty)
        }
    }

    @Test func aSilentProxyTimesOut() async throws {
        try await ScriptedProxy.with([.await(100_000)]) { proxy in
            var configuration = try configuration(.http, proxy.port)
            configuration.proxyTimeout = .milliseconds(50)
            let client = HTTPClient(configuration: configuration)
            let error = try await transportError { _ = try await client.collect(HTTPRequest(port: 8443), upTo: 9) }
            #expect(error.code == .timedOut)
            #expect(error.phase == .proxy)
            #expect(error.proxy?.code == .timedOut)
        }
    }

    @Test func anUnreachableProxy() async throws {
        let error = try await RefusingPort.with { port in
            let client = HTTPClient(configuration: try configuration(.http, port))
            return try await transportError { _ = try await client.collect(HTTPRequest(port: 8443), upTo: 9) }
        }
        #expect(error.code == .connectionRefused)
        #expect(error.reason.contains(Self.proxyHost))
    }

    /// An exception and a loopback host do not use the proxy.
    @Test func exceptionsGoDirectly() async throws {
        try await ScriptedServer.with(tls: ServerTLS(world.leaf)) { _ in
            [.respond("direct")]
        } _: { server in
            try await ScriptedProxy.with([.close]) { proxy in
                var configuration = try configuration(.http, proxy.port)
                configuration.hostOverrides[PinnedWorld.host] = "127.0.0.1"
                configuration.proxies = .server(
                    try ProxyServer("http://127.0.0.1:\(proxy.port)"), except: try ProxyExceptions(PinnedWorld.host))
                let client = HTTPClient(configuration: configuration)
                #expect(try await client.collect(HTTPRequest(port: server.port), upTo: 9).text == "direct")
                #expect(proxy.heard.isEmpty)
            }
        }
    }

    /// Without TLS a proxy can read and change everything, so the request is refused like other cleartext.
    @Test func cleartextThroughAProxyIsRefused() async throws {
        let client = HTTPClient(configuration: try configuration(.http, 1))
        let error = try await transportError {
            _ = try await client.collect(HTTPRequest(port: 80, scheme: "http"), upTo: 9)
        }
        #expect(error.code == .cleartextRefused)
    }
}
