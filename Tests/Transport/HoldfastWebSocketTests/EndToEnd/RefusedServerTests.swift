import HoldfastTestSupport
import HoldfastTransport
import HoldfastTrust
import HoldfastWebSocket
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Tests that a refused server is reported as for HTTP: with its verdict, and before it receives a request.
@Suite struct RefusedServerTests {
    private func attempt(_ trust: TransportConfiguration, port: Int) async -> TransportError? {
        await #expect(throws: TransportError.self) {
            try await WebSocketClient(configuration: trust).connect("wss://chat.example:\(port)/")
        }
    }

    private func configuration(_ trust: TrustContext, _ factory: CertificateFactory) -> TransportConfiguration {
        TransportConfiguration(
            trust: trust, clock: .fixed(factory.now), hostOverrides: ["chat.example": "127.0.0.1"])
    }

    @Test func refusesAnotherAuthoritysCertificate() async throws {
        let factory = CertificateFactory()
        let root = try factory.authority("Root")
        let rogue = try factory.authority("Rogue")
        let server = try await WebSocketTestServer.start(
            identity: factory.leaf(["chat.example"], signedBy: rogue))
        let strict = configuration(.system(anchors: .only([root.view])), factory)
        let error = try #require(await attempt(strict, port: server.port))
        #expect(error.code == .trustRefused)
        #expect(error.verdict?.permitsConnection == false)
        #expect(error.verdict?.finding.code == .unknownIssuer)
        // Without the check the attack succeeds, which shows that the check refuses it.
        let open = configuration(.system(anchors: .only([root.view, rogue.view])), factory)
        let connection = try await WebSocketClient(configuration: open).connect("wss://chat.example:\(server.port)/")
        await connection.close()
        await server.stop()
    }

    @Test func refusesAnotherKeyOfThePinnedAuthority() async throws {
        let factory = CertificateFactory()
        let root = try factory.authority("Root")
        let leaf = try factory.leaf(["chat.example"], signedBy: root)
        let other = try factory.leaf(["chat.example"], signedBy: root)
        let server = try await WebSocketTestServer.start(identity: leaf)
        func pinned(_ identity: Identity) throws -> TransportConfiguration {
            configuration(
                .evaluators(
                    ["chat.example": CertificatePinningEvaluator(pinnedCertificates: [Data(identity.certificateDER)])],
                    anchors: .only([root.view])), factory)
        }
        let error = try #require(await attempt(try pinned(other), port: server.port))
        #expect(error.code == .trustRefused)
        #expect(error.verdict?.finding.code == .pinMismatch)
        let connection = try await WebSocketClient(configuration: pinned(leaf))
            .connect("wss://chat.example:\(server.port)/")
        await connection.close()
        await server.stop()
    }

    @Test func refusesAWrongHost() async throws {
        let factory = CertificateFactory()
        let root = try factory.authority("Root")
        let server = try await WebSocketTestServer.start(
            identity: factory.leaf(["other.example"], signedBy: root))
        let error = try #require(
            await attempt(configuration(.system(anchors: .only([root.view])), factory), port: server.port))
        #expect(error.code == .trustRefused)
        #expect(error.verdict?.finding.code == .hostMismatch)
        await server.stop()
    }

    @Test func reportsAServerWithoutTLSAsFailedHandshake() async throws {
        let factory = CertificateFactory()
        let server = try await WebSocketTestServer.start()
        let error = try #require(
            await attempt(configuration(.system(anchors: .only([])), factory), port: server.port))
        #expect(error.code == .tlsHandshakeFailed)
        #expect(error.verdict == nil)
        await server.stop()
    }
}
