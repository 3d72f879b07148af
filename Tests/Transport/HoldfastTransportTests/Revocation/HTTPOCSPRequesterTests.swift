import HTTPTypes
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import NIOCore
import NIOPosix
import Synchronization
import Testing

/// Requests to OCSP responders on the wire.
@Suite(.timeLimit(.minutes(1))) struct HTTPOCSPRequesterTests {
    private let world: PinnedWorld

    init() throws {
        world = try PinnedWorld()
    }

    private func code(_ work: () async throws -> Void) async -> OCSPError.Code? {
        do {
            try await work()
            return nil
        } catch {
            return (error as? OCSPError)?.code
        }
    }

    /// End to end: the client asks the responder in the certificate, and applies its response.
    @Test(arguments: [true, false])
    func theResponderIsAsked(isRevoked: Bool) async throws {
        let issuer = world.root
        let now = world.factory.now
        let subject = Mutex<Identity?>(nil)
        let responder = try await ScriptedServer.start { _ in
            var responder = OCSPResponder(issuer: issuer, now: now)
            if isRevoked { responder.status = .revoked(now.advanced(bySeconds: -60)) }
            guard let leaf = subject.withLock({ $0 }), let answer = try? responder.response(about: leaf) else {
                return [.cut]
            }
            return [
                .text("HTTP/1.1 200 OK\nContent-Type: application/ocsp-response\nContent-Length: \(answer.count)\n\n"),
                .send(answer),
            ]
        }
        var options = CertificateOptions()
        options.extraExtensions.append(.ocspResponders("http://127.0.0.1:\(responder.port)/ocsp"))
        let leaf = try world.factory.leaf([PinnedWorld.host], signedBy: issuer, options)
        subject.withLock { $0 = leaf }
        try await ScriptedServer.with(tls: ServerTLS(leaf)) { _ in
            [.respond("x")]
        } _: { server in
            let evaluator = OCSPRevocationEvaluator(
                requester: HTTPOCSPRequester(allowsPlainHTTP: true, allowsLocalResponders: true),
                clock: .fixed(now))
            let sink = RecordedVerdicts()
            let trust = world.trust.reporting(to: sink).checkingRevocation(with: evaluator)
            let client = HTTPClient(configuration: world.configuration(trust: trust))
            let error = try await transportErrorOrNil {
                _ = try await client.collect(HTTPRequest(port: server.port), upTo: 9)
            }
            #expect(error?.verdict?.finding.code == (isRevoked ? .revoked : nil))
            // A connection has one verdict, the final one.
            #expect(sink.all.map(\.permitsConnection) == [!isRevoked])
            let asked = try #require(responder.requests.first)
            #expect(asked.method == "POST" && asked.target == "/ocsp")
            #expect(asked.field("content-type") == "application/ocsp-request")
        }
        try await responder.stop()
    }

    /// Without the option no request without TLS leaves this machine.
    @Test func plainHTTPNeedsTheOption() async throws {
        let network = VirtualWorld()
        let requester = HTTPOCSPRequester(client: network.client(), allowsPlainHTTP: false, timeout: .seconds(5))
        let code = await code { _ = try await requester.response(to: [1], at: "http://ocsp.example.com/") }
        #expect(code == .unreachable && network.attempts == 0)
        for address in ["ldap://ocsp.example.com/", "", "http://user@ocsp.example.com/"] {
            let other = HTTPOCSPRequester(allowsPlainHTTP: true)
            #expect(await self.code { _ = try await other.response(to: [1], at: address) } == .noResponder)
        }
    }

    // MARK: - Responders on local networks

    /// A name server that returns this machine's address for every name.
    private struct LoopbackResolver: Resolver {
        func initiateAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
            MultiThreadedEventLoopGroup.singleton.any().makeCompletedFuture {
                [try SocketAddress(ipAddress: "127.0.0.1", port: port)]
            }
        }

        func initiateAAAAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
            MultiThreadedEventLoopGroup.singleton.any().makeSucceededFuture([])
        }

        func cancelQueries() {}
    }

    private func requester(allowsLocalResponders: Bool) -> HTTPOCSPRequester {
        let configuration = HTTPOCSPRequester.transport(
            allowsPlainHTTP: true, allowsLocalResponders: allowsLocalResponders, proxies: .none, anchors: .system)
        return HTTPOCSPRequester(
            client: HTTPClient(
                configuration: configuration, connector: SocketConnector(resolver: LoopbackResolver())),
            allowsPlainHTTP: true, allowsLocalResponders: allowsLocalResponders, timeout: .seconds(5))
    }

    /// No connection is opened to an address of this machine or of a local network, in any spelling.
    @Test(arguments: [
        "127.0.0.1", "127.1", "2130706433", "0.0.0.0", "10.1.2.3", "172.31.0.1", "192.168.0.1", "169.254.169.254",
        "100.64.0.1", "[::1]", "[::]", "[fe80::1]", "[fd00::1]", "[::ffff:10.0.0.1]", "[::ffff:7f00:1]",
        "[::127.0.0.1]", "[64:ff9b::a00:1]", "[2002:a00:1::1]", "localhost", "a.localhost.", "printer.local",
    ])
    func aLocalResponderIsNotAsked(host: String) async throws {
        let network = VirtualWorld()
        let requester = HTTPOCSPRequester(
            client: network.client { $0.dangerouslyAllowsCleartext = true }, allowsPlainHTTP: true,
            timeout: .seconds(5))
        for scheme in ["http", "https"] {
            let code = await code { _ = try await requester.response(to: [1], at: "\(scheme)://\(host)/") }
            #expect(code == .unreachable || code == .noResponder)
        }
        #expect(network.attempts == 0)
    }

    /// The address that a name resolves to decides, before a byte is sent.
    @Test func aNameThatResolvesToThisMachineIsNotAsked() async throws {
        let server = try await ScriptedServer.start { _ in [.respond("x")] }
        let address = "http://ocsp.example.com:\(server.port)/"
        let refusing = requester(allowsLocalResponders: false)
        #expect(await code { _ = try await refusing.response(to: [1], at: address) } == .unreachable)
        #expect(server.requests.isEmpty)
        let allowing = requester(allowsLocalResponders: true)
        #expect(try await allowing.response(to: [1], at: address) == Array("x".utf8))
        #expect(server.requests.count == 1)
        try await server.stop()
    }

    @Test func aSlowResponderTimesOut() async throws {
        let network = VirtualWorld()
        let requester = HTTPOCSPRequester(
            client: network.client { $0.dangerouslyAllowsCleartext = true }, allowsPlainHTTP: true, timeout: .seconds(5)
        )
        let asking = Task {  // reason: the test moves time meanwhile
            await code { _ = try await requester.response(to: [1], at: "http://ocsp.example.com/") }
        }
        try await network.request()
        try await network.respond("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n")
        await network.pass(.seconds(3))
        try await network.respond("x")
        await network.pass(.seconds(2))
        #expect(await asking.value == .timedOut)
    }

    @Test func invalidResponsesAreErrors() async throws {
        let other = try await ScriptedServer.start { _ in [.respond("x")] }
        let scripts: [([ScriptedAction], OCSPError.Code)] = [
            ([.respond(status: "404 Gone")], .unreachable), ([.cut], .unreachable),
            ([.respond(status: "302 Found", fields: ["Location: http://127.0.0.1:\(other.port)/"])], .unreachable),
            ([.text("HTTP/1.1 200 OK\nContent-Length: 99999999\n\n")], .tooLarge),
            ([.respond(String(repeating: "x", count: OCSPResponse.maximumSize + 1))], .tooLarge),
        ]
        try await ScriptedServer.with({ request in
            Int(request.target.dropFirst()).map { scripts[$0].0 } ?? []
        }) { server in
            let requester = HTTPOCSPRequester(allowsPlainHTTP: true, allowsLocalResponders: true)
            for (number, script) in scripts.enumerated() {
                let address = "http://127.0.0.1:\(server.port)/\(number)"
                #expect(await code { _ = try await requester.response(to: [1], at: address) } == script.1)
            }
        }
        #expect(other.requests.isEmpty)
        try await other.stop()
    }
}
