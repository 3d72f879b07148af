import HTTPTypes
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import Testing

/// Requests that connect to an address of their own: only the socket's destination changes.
@Suite(.timeLimit(.minutes(1))) struct ConnectAddressTests {
    private let world: PinnedWorld

    init() throws {
        world = try PinnedWorld()
    }

    private func options(_ port: UInt16, _ redirects: RedirectPolicy = .deliver) throws -> RequestOptions {
        RequestOptions(redirects: redirects, address: try ConnectAddress("127.0.0.1:\(port)"))
    }

    // MARK: The text

    @Test(
        arguments: [
            ("192.0.2.7", "192.0.2.7", nil), ("192.0.2.7:8443", "192.0.2.7", 8443), ("2001:DB8::7", "2001:db8::7", nil),
            ("[2001:db8::7]", "2001:db8::7", nil), ("[2001:db8:0::7]:8443", "2001:db8::7", 8443),
            ("Replica-3.Example.com.", "replica-3.example.com", nil),
            ("replica-3.example.com:1", "replica-3.example.com", 1),
            ("localhost:65535", "localhost", 65535), ("2001:db8::7:8443", "2001:db8::7:8443", nil),
        ] as [(String, String, UInt16?)])
    func validAddresses(text: String, host: String, port: UInt16?) throws {
        let address = try ConnectAddress(text)
        #expect(address.host.text == host)
        #expect(address.port == port)
        #expect(try ConnectAddress(address.description) == address)
    }

    @Test(
        arguments: [
            ("", .host), (":443", .host), ("a b", .host), ("user@example.com", .host), ("example.com/path", .host),
            ("https://example.com", .port), ("[2001:db8::7", .host), ("[2001:db8::7]x", .host),
            ("2001:db8::7:zz", .host),
            ("1.2.3.4.5", .host), ("a:b:c", .host), ("[example.com]:1", .host), ("/var/run/app.socket", .host),
            ("192.0.2.7:", .port), ("192.0.2.7:0", .port), ("192.0.2.7:65536", .port), ("192.0.2.7:-1", .port),
            ("192.0.2.7:+1", .port), ("[2001:db8::7]:", .port), ("example.com:https", .port), ("example.com: 1", .port),
        ] as [(String, ConnectAddressError.Code)])
    func invalidAddresses(text: String, code: ConnectAddressError.Code) {
        let error = #expect(throws: ConnectAddressError.self) { try ConnectAddress(text) }
        #expect(error?.code == code)
    }

    // MARK: The connection

    /// The `Host` field and the verified name are those of the URL.
    @Test(arguments: ScriptedVersion.allCases)
    func onlyTheSocketChanges(version: ScriptedVersion) async throws {
        try await ScriptedServer.with(tls: ServerTLS(world.leaf), version: version) { _ in
            [.respond("x")]
        } _: { server in
            // The test's host cannot be resolved without the address.
            let configuration = TransportConfiguration(trust: world.trust, clock: .fixed(world.factory.now))
            let client = HTTPClient(configuration: configuration)
            let options = try options(server.port)
            let answer = try await client.collect(HTTPRequest(port: 8443), upTo: 9, options: options)
            #expect(answer.text == "x")
            #expect(answer.facts.remoteAddress == "127.0.0.1:\(server.port)")
            #expect(answer.facts.verdict?.subject?.host.text == PinnedWorld.host)
            #expect(answer.facts.verdict?.subject?.port == 8443)
            #expect(server.requests.first?.field("host") == "\(PinnedWorld.host):8443")
            await client.shutdown()
        }
    }

    /// The server name in TLS is that of the URL, so that a server with several certificates selects the right one.
    @Test func theServerNameIsThatOfTheURL() async throws {
        // It records the first bytes of the handshake.
        try await ScriptedProxy.with([.await(100), .close]) { peer in
            let client = HTTPClient(configuration: world.configuration())
            let options = try options(peer.port)
            let error = try await transportError {
                _ = try await client.collect(HTTPRequest(port: 8443), upTo: 9, options: options)
            }
            #expect(error.code == .tlsHandshakeFailed)
            let hello = try #require(peer.heard.first)
            #expect(hello.firstRange(of: Array(PinnedWorld.host.utf8)) != nil)
            await client.shutdown()
        }
    }

    /// Attack: the address leads to a server with a valid certificate for its own name. A URL with that name shows that
    /// only the name is wrong.
    @Test func anotherServersCertificateIsRefused() async throws {
        let other = try world.factory.leaf(["other.example.com"], signedBy: world.intermediate)
        try await ScriptedServer.with(tls: ServerTLS(other)) { _ in
            [.respond("x")]
        } _: { server in
            let client = HTTPClient(configuration: world.configuration())
            let options = try options(server.port)
            let error = try await transportError {
                _ = try await client.collect(HTTPRequest(port: 8443), upTo: 9, options: options)
            }
            #expect(error.code == .trustRefused)
            #expect(server.requests.isEmpty)
            let request = HTTPRequest(port: 8443, host: "other.example.com")
            #expect(try await client.collect(request, upTo: 9, options: options).text == "x")
        }
    }

    /// Attack: the address leads to a server with a trusted certificate for the host, but without the pinned key.
    @Test func thePinsOfTheHostApply() async throws {
        let rule = try PinningRule(
            HostPattern(PinnedWorld.host), pins: PinSet([Pin(world.leaf.spkiDigest)]))
        let policy = try PinningPolicy(name: "test", rules: [rule], backupPins: .off)
        let configuration = world.configuration(trust: .policy(policy, anchors: .only([world.root.view])))
        let impostor = try world.factory.leaf([PinnedWorld.host], signedBy: world.root)
        for (identity, isAccepted) in [(world.leaf, true), (impostor, false)] {
            try await ScriptedServer.with(tls: ServerTLS(identity)) { _ in
                [.respond("x")]
            } _: { server in
                let client = HTTPClient(configuration: configuration)
                let options = try options(server.port)
                let error = try await transportErrorOrNil {
                    _ = try await client.collect(HTTPRequest(port: 8443), upTo: 9, options: options)
                }
                let expected: TrustFinding.Code? = isAccepted ? nil : .pinMismatch
                #expect(error?.verdict?.finding.code == expected)
                #expect(server.requests.count == (isAccepted ? 1 : 0))
            }
        }
    }

    /// Requests with an address, with another address and without one never share a connection.
    @Test(arguments: ScriptedVersion.allCases)
    func connectionsAreNotShared(version: ScriptedVersion) async throws {
        let tls = ServerTLS(world.leaf)
        try await ScriptedServer.with(tls: tls, version: version, { _ in [.respond("a")] }) { a in
            try await ScriptedServer.with(tls: tls, version: version, { _ in [.respond("b")] }) { b in
                let client = HTTPClient(configuration: world.configuration())
                let (toA, toB) = (try options(a.port), try options(b.port))
                // The same URL each time. Its own port is that of the second server.
                let request = HTTPRequest(port: b.port)
                for _ in 0..<3 {
                    #expect(try await client.collect(request, upTo: 9, options: toA).text == "a")
                    #expect(try await client.collect(request, upTo: 9).text == "b")
                    #expect(try await client.collect(request, upTo: 9, options: toB).text == "b")
                }
                #expect(a.connectionCount == 1 && a.requests.count == 3)
                // The URL and the address name the same socket, and are nevertheless separate.
                #expect(b.connectionCount == 2 && b.requests.count == 6)
                await client.shutdown()
            }
        }
    }

    /// A connection to an address closes like any other if a new policy refuses its server.
    @Test func aChangedPolicyClosesTheConnection() async throws {
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
            let options = try options(server.port)
            _ = try await client.collect(HTTPRequest(port: 8443), upTo: 9, options: options)
            holder.replace(with: policies[1])
            await client.untilAllAreClosed()
            let error = try await transportError {
                _ = try await client.collect(HTTPRequest(port: 8443), upTo: 9, options: options)
            }
            #expect(error.verdict?.finding.code == .pinMismatch)
            #expect(server.requests.count == 1)
        }
    }

    // MARK: Redirects

    private static func moved(_ location: String) -> [ScriptedAction] {
        [.respond(status: "302 Found", fields: ["Location: \(location)"])]
    }

    /// A redirect within the origin keeps the address. A redirect to another origin drops it, also for later requests
    /// to the first origin.
    @Test func anotherOriginDropsTheAddress() async throws {
        let tls = ServerTLS(world.leaf)
        let origin = "https://\(PinnedWorld.host)"
        try await ScriptedServer.with(tls: tls, { _ in [.respond("end")] }) { own in
            let back: @Sendable (ScriptedRequest) -> [ScriptedAction] = { _ in Self.moved("\(origin):\(own.port)/end") }
            try await ScriptedServer.with(tls: tls, back) { other in
                try await ScriptedServer.with(
                    tls: tls, { $0.target == "/a" ? Self.moved("/b") : Self.moved("\(origin):\(other.port)/c") }
                ) { addressed in
                    let client = HTTPClient(configuration: world.configuration())
                    let answer = try await client.collect(
                        HTTPRequest(port: own.port, path: "/a"), upTo: 9, options: options(addressed.port, .follow()))
                    #expect(answer.text == "end")
                    #expect(addressed.requests.map(\.target) == ["/a", "/b"])
                    #expect(other.requests.map(\.target) == ["/c"])
                    #expect(own.requests.map(\.target) == ["/end"])
                    await client.shutdown()
                }
            }
        }
    }

    // MARK: Proxies and cleartext

    /// A proxy is asked to connect to the address. The server is verified for the host of the URL.
    @Test func aProxyConnectsToTheAddress() async throws {
        try await ScriptedServer.with(tls: ServerTLS(world.leaf)) { _ in
            [.respond("x")]
        } _: { server in
            let steps: [ScriptedProxyStep] = [
                .awaitHead, .text("HTTP/1.1 200 Connection established\r\n\r\n"), .tunnel(to: server.port),
            ]
            try await ScriptedProxy.with(steps) { proxy in
                var configuration = world.configuration()
                configuration.proxies = .server(
                    try ProxyServer(.http, host: CanonicalHost("127.0.0.1"), port: proxy.port))
                let client = HTTPClient(configuration: configuration)
                let options = RequestOptions(address: try ConnectAddress("203.0.113.9:4433"))
                let answer = try await client.collect(HTTPRequest(port: 8443), upTo: 9, options: options)
                #expect(answer.text == "x")
                #expect(answer.facts.verdict?.subject?.host.text == PinnedWorld.host)
                #expect(
                    proxy.heard.map { String(decoding: $0, as: UTF8.self) }
                        == ["CONNECT 203.0.113.9:4433 HTTP/1.1\r\nHost: 203.0.113.9:4433\r\n\r\n"])
                await client.shutdown()
            }
        }
    }

    /// Without TLS, an address cannot lead a loopback URL to another machine, or disguise another host as local.
    @Test func cleartextStaysOnThisMachine() async throws {
        let world = VirtualWorld()
        let client = world.client()
        for (host, address) in [("127.0.0.1", "203.0.113.9"), ("example.com", "127.0.0.1")] {
            let request = HTTPRequest(port: 80, host: host, scheme: "http")
            let options = RequestOptions(address: try ConnectAddress(address))
            let error = try await transportError { _ = try await client.collect(request, upTo: 9, options: options) }
            #expect(error.code == .cleartextRefused)
        }
        #expect(world.attempts == 0)
    }

    /// The error names the address that was tried.
    @Test func anUnreachableAddressIsNamed() async throws {
        let client = HTTPClient(configuration: world.configuration())
        try await RefusingPort.with { port in
            let options = try options(port)
            let error = try await transportError {
                _ = try await client.collect(HTTPRequest(port: 8443), upTo: 9, options: options)
            }
            #expect(error.code == .connectionRefused)
            #expect(error.reason.contains("127.0.0.1:\(port)"))
        }
        await client.shutdown()
        #expect(client.freeConnections == TransportLimits().connections)
    }
}
