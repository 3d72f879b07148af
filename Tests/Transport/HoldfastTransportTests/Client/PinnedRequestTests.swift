import HTTPTypes
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import Testing

/// A request over TLS, accepted and refused.
@Suite struct PinnedRequestTests {
    let world: PinnedWorld

    init() throws {
        world = try PinnedWorld()
    }

    @Test(arguments: ScriptedVersion.allCases)
    func aTrustedServerAnswers(version: ScriptedVersion) async throws {
        let world = self.world
        try await ScriptedServer.with(tls: ServerTLS(world.leaf), version: version) { _ in
            [.respond("hello", fields: ["X-Kind: test"])]
        } _: { server in
            let client = HTTPClient(configuration: world.configuration())
            let answer = try await client.collect(HTTPRequest(port: server.port, path: "/a?b=c"), upTo: 100)
            #expect(answer.response.status == .ok)
            #expect(answer.response.headerFields[HTTPField.Name("X-Kind")!] == "test")
            #expect(answer.text == "hello")
            #expect(answer.facts.verdict?.permitsConnection == true)
            #expect(answer.facts.verdict?.finding.code == .validPath)
            #expect(answer.facts.verdict?.duration ?? .zero > .zero)
            #expect(answer.facts.tlsVersion == "TLSv1.3")
            #expect(answer.facts.cipherSuite?.hasPrefix("TLS_") == true)
            #expect(answer.facts.remoteAddress == "127.0.0.1:\(server.port)")
            #expect(answer.facts.presented?.certificates.count == 2)
            let request = try #require(server.requests.first)
            #expect(request.target == "/a?b=c")
            #expect(request.field("Host") == "\(PinnedWorld.host):\(server.port)")
            await client.shutdown()
        }
    }

    @Test(arguments: ScriptedVersion.allCases)
    func aCertificateOfAnotherAuthorityIsRefusedWithTheVerdict(version: ScriptedVersion) async throws {
        let world = self.world
        try await ScriptedServer.with(tls: ServerTLS(world.rogue), version: version) { _ in
            [.respond()]
        } _: { server in
            let client = HTTPClient(configuration: world.configuration())
            let error = try await transportError {
                _ = try await client.collect(HTTPRequest(port: server.port), upTo: 100)
            }
            #expect(error.code == .trustRefused)
            #expect(error.verdict?.finding.code == .unknownIssuer)
            #expect(error.verdict?.subject?.host.text == PinnedWorld.host)
            #expect(server.requests.isEmpty)
            await client.shutdown()
        }
    }

    /// The same server is accepted if only the check that refused it is disabled.
    @Test(arguments: ScriptedVersion.allCases)
    func withoutVerificationTheSameServerIsAccepted(version: ScriptedVersion) async throws {
        let world = self.world
        try await ScriptedServer.with(tls: ServerTLS(world.rogue), version: version) { _ in
            [.respond("mine")]
        } _: { server in
            let client = HTTPClient(configuration: world.configuration(trust: .dangerouslyAcceptAnyCertificate()))
            let answer = try await client.collect(HTTPRequest(port: server.port), upTo: 100)
            #expect(answer.text == "mine")
            await client.shutdown()
        }
    }

    /// With `.fullVerification` NIOSSL would check names a second time, against the socket's address too.
    @Test(arguments: ScriptedVersion.allCases)
    func onlyTheContextVerifiesNames(version: ScriptedVersion) async throws {
        let world = self.world
        let other = try world.factory.leaf(["other.example.com"], signedBy: world.intermediate)
        try await ScriptedServer.with(tls: ServerTLS(other), version: version) { _ in
            [.respond("x")]
        } _: { server in
            let strict = HTTPClient(configuration: world.configuration())
            let error = try await transportError {
                _ = try await strict.collect(HTTPRequest(port: server.port), upTo: 100)
            }
            #expect(error.verdict?.finding.code == .hostMismatch)
            let pinned = PinnedKeysOnly(certificates: [other.view])
            let keysOnly = HTTPClient(configuration: world.configuration(trust: .pinnedKeysOnly(pinned)))
            #expect(try await keysOnly.collect(HTTPRequest(port: server.port), upTo: 100).text == "x")
        }
    }

    /// The certificate must contain the URL's IP literal, not the socket's address. The literal is not sent as a
    /// server name.
    @Test(arguments: ScriptedVersion.allCases)
    func anIPLiteralIsMatchedAgainstTheCertificate(version: ScriptedVersion) async throws {
        let world = self.world
        let byName = try world.factory.leaf(["localhost"], signedBy: world.intermediate)
        let byAddress = try world.factory.leaf([], ipAddresses: ["127.0.0.1"], signedBy: world.intermediate)
        for (leaf, expected) in [(byAddress, nil), (byName, TrustFinding.Code.hostMismatch)] {
            try await ScriptedServer.with(tls: ServerTLS(leaf), version: version) { _ in
                [.respond("x")]
            } _: { server in
                let client = HTTPClient(configuration: world.configuration())
                let request = HTTPRequest(port: server.port, host: "127.0.0.1")
                if let expected {
                    let error = try await transportError { _ = try await client.collect(request, upTo: 100) }
                    #expect(error.verdict?.finding.code == expected)
                } else {
                    #expect(try await client.collect(request, upTo: 100).text == "x")
                }
            }
        }
    }

    @Test(arguments: ScriptedVersion.allCases)
    func aTrailingDotAndCapitalsDoNotChangeTheHost(version: ScriptedVersion) async throws {
        let world = self.world
        try await ScriptedServer.with(tls: ServerTLS(world.leaf), version: version) { _ in
            [.respond("x")]
        } _: { server in
            let client = HTTPClient(configuration: world.configuration())
            let request = HTTPRequest(port: server.port, host: "CHAT.example.com.")
            #expect(try await client.collect(request, upTo: 100).text == "x")
            #expect(server.requests.first?.field("Host") == "chat.example.com:\(server.port)")
            _ = try await client.collect(HTTPRequest(port: server.port), upTo: 100)
            #expect(server.connectionCount == 1)
        }
    }

    /// The client awaits an asynchronous evaluator. Its refusal is a regular verdict.
    @Test(arguments: ScriptedVersion.allCases)
    func anAsynchronousEvaluatorIsAwaited(version: ScriptedVersion) async throws {
        let world = self.world
        for allow in [true, false] {
            try await ScriptedServer.with(tls: ServerTLS(world.leaf), version: version) { _ in
                [.respond("x")]
            } _: { server in
                let trust = TrustContext(name: "later") { chain, subject, time in
                    .later {
                        await Task.yield()
                        return TrustVerdict(
                            decision: allow ? .allow : .block,
                            finding: TrustFinding(allow ? .validPath : .evaluatorRefused, "decided later"),
                            subject: subject, policyName: "later", time: time)
                    }
                }
                let client = HTTPClient(configuration: world.configuration(trust: trust))
                if allow {
                    #expect(try await client.collect(HTTPRequest(port: server.port), upTo: 9).text == "x")
                } else {
                    let error = try await transportError {
                        _ = try await client.collect(HTTPRequest(port: server.port), upTo: 9)
                    }
                    #expect(error.verdict?.finding.code == .evaluatorRefused)
                }
            }
        }
    }

    /// A refused server fails every request that waits for the connection.
    @Test(arguments: ScriptedVersion.allCases)
    func aRefusalFailsAllWaitingRequests(version: ScriptedVersion) async throws {
        let world = self.world
        try await ScriptedServer.with(tls: ServerTLS(world.rogue), version: version) { _ in
            [.respond()]
        } _: { server in
            var configuration = world.configuration()
            configuration.maximumConnectionsPerHost = 1
            let client = HTTPClient(configuration: configuration)
            let codes = await withTaskGroup(of: TransportError.Code?.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        let error = try? await transportError {
                            _ = try await client.collect(HTTPRequest(port: server.port), upTo: 9)
                        }
                        return error?.code
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(codes == Array(repeating: .trustRefused, count: 8))
        }
    }
}
