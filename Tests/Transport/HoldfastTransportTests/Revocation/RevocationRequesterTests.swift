import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import NIOCore
import NIOPosix
import Testing

/// The rules for addresses and responses that are common to the requesters of OCSP responses and of revocation lists.
@Suite(.timeLimit(.minutes(1))) struct RevocationRequesterTests {
    enum Kind: String, CaseIterable, Sendable {
        case ocsp, lists

        /// The code for an address that cannot be used.
        var noAddress: String { self == .ocsp ? "noResponder" : "noDistributionPoint" }

        /// The maximum size of a response.
        var limit: Int { self == .ocsp ? OCSPResponse.maximumSize : 1_000 }
    }

    /// Sends requests with a requester of either kind.
    private struct Requester: Sendable {
        var body: @Sendable (String) async throws -> [UInt8]

        /// Returns the code of the error, or `nil` for a response.
        func code(_ address: String) async -> String? {
            do {
                _ = try await body(address)
                return nil
            } catch {
                return (error as? OCSPError)?.code.rawValue ?? (error as? RevocationListError)?.code.rawValue
                    ?? "\(error)"
            }
        }
    }

    private func requester(
        _ kind: Kind, _ client: HTTPClient? = nil, allowsPlainHTTP: Bool = true, allowsLocal: Bool = false
    ) -> Requester {
        switch kind {
        case .ocsp:
            let requester =
                client.map {
                    HTTPOCSPRequester(
                        client: $0, allowsPlainHTTP: allowsPlainHTTP, allowsLocalResponders: allowsLocal,
                        timeout: .seconds(5))
                } ?? HTTPOCSPRequester(allowsPlainHTTP: allowsPlainHTTP, allowsLocalResponders: allowsLocal)
            return Requester { try await requester.response(to: [1], at: $0) }
        case .lists:
            let requester =
                client.map {
                    HTTPRevocationListRequester(
                        client: $0, allowsPlainHTTP: allowsPlainHTTP, allowsLocalServers: allowsLocal,
                        timeout: .seconds(5))
                } ?? HTTPRevocationListRequester(allowsPlainHTTP: allowsPlainHTTP, allowsLocalServers: allowsLocal)
            return Requester { try await requester.revocationList(at: $0, upTo: kind.limit) }
        }
    }

    /// Without the option no request without TLS leaves this machine, and only HTTP addresses are used.
    @Test(arguments: Kind.allCases)
    func plainHTTPNeedsTheOption(kind: Kind) async throws {
        let network = VirtualWorld()
        let strict = requester(kind, network.client(), allowsPlainHTTP: false)
        #expect(await strict.code("http://authority.example.com/") == "unreachable" && network.attempts == 0)
        for address in ["ldap://a.example.com/", "file:///etc/passwd", "", "http://user@a.example.com/"] {
            #expect(await requester(kind).code(address) == kind.noAddress, "\(address)")
        }
    }

    /// A certificate names an address of this machine or of a local network, in any spelling: no connection is opened.
    @Test(
        arguments: Kind.allCases,
        [
            "127.0.0.1", "127.1", "2130706433", "0.0.0.0", "10.1.2.3", "172.31.0.1", "192.168.0.1",
            "169.254.169.254", "100.64.0.1", "[::1]", "[::]", "[fe80::1]", "[fd00::1]", "[::ffff:10.0.0.1]",
            "[::ffff:7f00:1]", "[::127.0.0.1]", "[64:ff9b::a00:1]", "[2002:a00:1::1]", "localhost", "a.localhost.",
            "printer.local",
        ])
    func aLocalServerIsNotAsked(kind: Kind, host: String) async throws {
        let network = VirtualWorld()
        let requester = requester(kind, network.client { $0.dangerouslyAllowsCleartext = true })
        for scheme in ["http", "https"] {
            let code = await requester.code("\(scheme)://\(host)/")
            #expect(code == "unreachable" || code == kind.noAddress)
        }
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
    @Test(arguments: Kind.allCases)
    func aNameThatResolvesToThisMachineIsNotAsked(kind: Kind) async throws {
        try await ScriptedServer.with({ _ in [.respond("x")] }) { server in
            let address = "http://authority.example.com:\(server.port)/"
            for allowsLocal in [false, true] {
                let configuration = HTTPOCSPRequester.transport(
                    allowsPlainHTTP: true, allowsLocalResponders: allowsLocal, proxies: .none, anchors: .system)
                let client = HTTPClient(
                    configuration: configuration, connector: SocketConnector(resolver: LoopbackResolver()))
                let requester = requester(kind, client, allowsLocal: allowsLocal)
                if allowsLocal {
                    let body = try await requester.body(address)
                    #expect(body == Array("x".utf8))
                } else {
                    #expect(await requester.code(address) == "unreachable")
                }
                #expect(server.requests.count == (allowsLocal ? 1 : 0))
            }
        }
    }

    @Test(arguments: Kind.allCases)
    func aSlowServerTimesOut(kind: Kind) async throws {
        let network = VirtualWorld()
        let requester = requester(kind, network.client { $0.dangerouslyAllowsCleartext = true })
        let asking = Task { await requester.code("http://authority.example.com/") }  // reason: the test moves time
        try await network.request()
        try await network.respond("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n")
        await network.pass(.seconds(3))
        try await network.respond("x")
        await network.pass(.seconds(2))
        #expect(await asking.value == "timedOut")
    }

    /// Redirects to files and to this machine are not followed, and a response that is too large ends at the limit.
    @Test(arguments: Kind.allCases)
    func invalidResponsesAreErrors(kind: Kind) async throws {
        let other = try await ScriptedServer.start { _ in [.respond("x")] }
        let scripts: [([ScriptedAction], String)] = [
            ([.respond(status: "404 Gone")], "unreachable"), ([.cut], "unreachable"),
            ([.respond(status: "302 Found", fields: ["Location: http://127.0.0.1:\(other.port)/"])], "unreachable"),
            ([.respond(status: "301 Moved", fields: ["Location: file:///etc/passwd"])], "unreachable"),
            ([.text("HTTP/1.1 200 OK\nContent-Length: 99999999\n\n")], "tooLarge"),
            ([.respond(String(repeating: "x", count: kind.limit + 1))], "tooLarge"),
        ]
        try await ScriptedServer.with({ request in
            Int(request.target.dropFirst()).map { scripts[$0].0 } ?? []
        }) { server in
            let requester = requester(kind, allowsLocal: true)
            for (number, script) in scripts.enumerated() {
                #expect(await requester.code("http://127.0.0.1:\(server.port)/\(number)") == script.1, "\(number)")
            }
        }
        #expect(other.requests.isEmpty)
        try await other.stop()
    }
}
