import HTTPTypes
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import NIOCore
import NIOPosix
import Synchronization
import Testing

/// Requests for revocation lists on the wire.
@Suite(.timeLimit(.minutes(1))) struct HTTPRevocationListRequesterTests {
    private let world: PinnedWorld

    init() throws {
        world = try PinnedWorld()
    }

    private func code(_ work: () async throws -> Void) async -> RevocationListError.Code? {
        do {
            try await work()
            return nil
        } catch {
            return (error as? RevocationListError)?.code
        }
    }

    /// End to end: a client with hard fail fetches the list that the certificate names, and applies it. The certificate
    /// names no OCSP responder, like those of Let's Encrypt.
    @Test(arguments: [true, false])
    func theListIsFetched(isRevoked: Bool) async throws {
        let issuer = world.root
        let now = world.factory.now
        let subject = Mutex<Identity?>(nil)
        let authority = try await ScriptedServer.start { _ in
            var draft = RevocationListDraft(issuer: issuer, now: now)
            if isRevoked, let leaf = subject.withLock({ $0 }) { draft.entries = [.init(leaf, reason: 1)] }
            guard let list = try? draft.der() else { return [.cut] }
            return [
                .text("HTTP/1.1 200 OK\nContent-Type: application/pkix-crl\nContent-Length: \(list.count)\n\n"),
                .send(list),
            ]
        }
        var options = CertificateOptions()
        options.extraExtensions.append(.distributionPoints("http://127.0.0.1:\(authority.port)/root.crl"))
        let leaf = try world.factory.leaf([PinnedWorld.host], signedBy: issuer, options)
        subject.withLock { $0 = leaf }
        try await ScriptedServer.with(tls: ServerTLS(leaf)) { _ in
            [.respond("x")]
        } _: { server in
            let evaluator = RevocationEvaluator(
                lists: HTTPRevocationListRequester(allowsPlainHTTP: true, allowsLocalServers: true),
                ocsp: HTTPOCSPRequester(allowsPlainHTTP: true, allowsLocalResponders: true), clock: .fixed(now))
            let client = HTTPClient(
                configuration: world.configuration(trust: world.trust.checkingRevocation(with: evaluator)))
            for _ in 0..<2 {
                let error = try await transportErrorOrNil {
                    _ = try await client.collect(HTTPRequest(port: server.port), upTo: 9)
                }
                #expect(error?.verdict?.finding.code == (isRevoked ? .revoked : nil))
                #expect(error?.verdict?.finding.facts.revocationReason == (isRevoked ? .keyCompromise : nil))
            }
            let asked = try #require(authority.requests.first)
            #expect(asked.method == "GET" && asked.target == "/root.crl")
            #expect(asked.field("accept") == "application/pkix-crl" && asked.field("accept-encoding") == nil)
            #expect(authority.requests.count == 1, "the list is cached")
        }
        try await authority.stop()
    }

    /// Without the option no request without TLS leaves this machine, and only HTTP addresses are used.
    @Test func addresses() async throws {
        let network = VirtualWorld()
        let requester = HTTPRevocationListRequester(
            client: network.client(), allowsPlainHTTP: false, timeout: .seconds(5))
        let plain = await code { _ = try await requester.revocationList(at: "http://crl.example.com/", upTo: 9) }
        #expect(plain == .unreachable && network.attempts == 0)
        for address in ["ldap://crl.example.com/", "file:///etc/passwd", "", "http://user@crl.example.com/"] {
            let other = HTTPRevocationListRequester(allowsPlainHTTP: true)
            let found = await code { _ = try await other.revocationList(at: address, upTo: 9) }
            #expect(found == .noDistributionPoint, "\(address)")
        }
    }

    /// A certificate names an address of this machine or of a local network: nothing is sent.
    @Test(arguments: [
        "127.0.0.1", "127.1", "2130706433", "10.1.2.3", "192.168.0.1", "169.254.169.254", "[::1]", "[fd00::1]",
        "[::ffff:10.0.0.1]", "localhost", "printer.local",
    ])
    func aLocalServerIsNotAsked(host: String) async throws {
        let network = VirtualWorld()
        let requester = HTTPRevocationListRequester(
            client: network.client { $0.dangerouslyAllowsCleartext = true }, allowsPlainHTTP: true,
            timeout: .seconds(5))
        let code = await code { _ = try await requester.revocationList(at: "http://\(host)/", upTo: 9) }
        #expect(code == .unreachable || code == .noDistributionPoint)
        #expect(network.attempts == 0)
    }

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

    /// The address that a name resolves to decides, before a byte is sent.
    @Test func aNameThatResolvesToThisMachineIsNotAsked() async throws {
        let server = try await ScriptedServer.start { _ in [.respond("x")] }
        let address = "http://crl.example.com:\(server.port)/"
        for allowsLocalServers in [false, true] {
            let configuration = HTTPOCSPRequester.transport(
                allowsPlainHTTP: true, allowsLocalResponders: allowsLocalServers, proxies: .none, anchors: .system)
            let requester = HTTPRevocationListRequester(
                client: HTTPClient(
                    configuration: configuration, connector: SocketConnector(resolver: LoopbackResolver())),
                allowsPlainHTTP: true, allowsLocalServers: allowsLocalServers, timeout: .seconds(5))
            let found = await code {
                let body = try await requester.revocationList(at: address, upTo: 9)
                #expect(body == Array("x".utf8))
            }
            #expect(found == (allowsLocalServers ? nil : .unreachable))
            #expect(server.requests.count == (allowsLocalServers ? 1 : 0))
        }
        try await server.stop()
    }

    /// Redirects to files and to this machine are not followed, and a response that is too large ends at the limit.
    @Test func invalidResponsesAreErrors() async throws {
        let other = try await ScriptedServer.start { _ in [.respond("x")] }
        let limit = 1_000
        let scripts: [([ScriptedAction], RevocationListError.Code)] = [
            ([.respond(status: "404 Gone")], .unreachable), ([.cut], .unreachable),
            ([.respond(status: "302 Found", fields: ["Location: http://127.0.0.1:\(other.port)/"])], .unreachable),
            ([.respond(status: "301 Moved", fields: ["Location: file:///etc/passwd"])], .unreachable),
            ([.text("HTTP/1.1 200 OK\nContent-Length: 99999999\n\n")], .tooLarge),
            ([.respond(String(repeating: "x", count: limit + 1))], .tooLarge),
        ]
        try await ScriptedServer.with({ request in
            Int(request.target.dropFirst()).map { scripts[$0].0 } ?? []
        }) { server in
            let requester = HTTPRevocationListRequester(allowsPlainHTTP: true, allowsLocalServers: true)
            for (number, script) in scripts.enumerated() {
                let address = "http://127.0.0.1:\(server.port)/\(number)"
                let found = await code { _ = try await requester.revocationList(at: address, upTo: limit) }
                #expect(found == script.1, "\(number)")
            }
        }
        #expect(other.requests.isEmpty)
        try await other.stop()
    }

    @Test func aSlowServerTimesOut() async throws {
        let network = VirtualWorld()
        let requester = HTTPRevocationListRequester(
            client: network.client { $0.dangerouslyAllowsCleartext = true }, allowsPlainHTTP: true, timeout: .seconds(5)
        )
        let asking = Task {  // reason: the test moves time meanwhile
            await code { _ = try await requester.revocationList(at: "http://crl.example.com/", upTo: 99) }
        }
        try await network.request()
        try await network.respond("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n")
        await network.pass(.seconds(3))
        try await network.respond("x")
        await network.pass(.seconds(2))
        #expect(await asking.value == .timedOut)
    }
}
