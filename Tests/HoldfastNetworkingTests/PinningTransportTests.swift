import Crypto
import Foundation
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import Testing

@testable import HoldfastNetworking

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Pinning by domain over real connections.
@Suite struct PinningTransportTests {
    private static let host = "api.example.com"

    private let factory = CertificateFactory()
    private let root: Identity
    private let leaf: Identity
    private let other: Identity

    init() throws {
        root = try factory.authority("Root")
        leaf = try factory.leaf([Self.host, "other.example.com"], signedBy: root)
        other = try factory.leaf([Self.host], signedBy: root)
    }

    private func transport(_ table: [String: any ServerTrustEvaluator]) -> PinningTransport {
        let configuration = TransportConfiguration(
            clock: .fixed(factory.now), hostOverrides: [Self.host: "127.0.0.1", "other.example.com": "127.0.0.1"])
        return PinningTransport(
            pinnedDomains: table, anchors: .only([root.view]), configuration: configuration)
    }

    private func pin(_ identity: Identity) -> PublicKeyPinningEvaluator {
        PublicKeyPinningEvaluator(
            pinnedKeyHashes: [Data(identity.spkiDigest.bytes)], anchors: .only([root.view]), clock: .fixed(factory.now))
    }

    private func url(_ port: UInt16, host: String = host) throws -> URL {
        try #require(URL(string: "https://\(host):\(port)/x"))
    }

    @Test func aPinnedServerIsAccepted() async throws {
        let (leaf, url, transport) = (self.leaf, self.url(_:host:), self.transport([Self.host: pin(leaf)]))
        try await ScriptedServer.with(tls: ServerTLS(leaf)) { _ in
            [.respond("{}", fields: ["X-A: 1", "X-A: 2"])]
        } _: {
            server in
            let (data, response) = try await transport.data(for: URLRequest(url: url(server.port, Self.host)))
            #expect(data == Data("{}".utf8))
            #expect(response.statusCode == 200)
            #expect(response.value(forHTTPHeaderField: "x-a") == "1, 2")
            #expect(response.url?.path == "/x")
        }
    }

    /// A valid certificate of the right authority, with another key.
    @Test func anotherKeyIsRefusedWithTheVerdict() async throws {
        let (other, url, transport) = (self.other, self.url(_:host:), self.transport([Self.host: pin(leaf)]))
        try await ScriptedServer.with(tls: ServerTLS(other)) { _ in
            [.respond()]
        } _: { server in
            do {
                _ = try await transport.data(for: URLRequest(url: url(server.port, Self.host)))
                Issue.record("accepted")
            } catch let error as TransportError {
                #expect(error.code == .trustRefused)
                #expect(error.verdict?.finding.code == .pinMismatch)
            }
            #expect(server.requests.isEmpty)
        }
    }

    /// No spelling of a host switches its pin off.
    @Test(arguments: ["API.example.com", "api.example.com.", "api.ex%61mple.com"])
    func everySpellingIsPinned(spelling: String) async throws {
        let (other, transport) = (self.other, self.transport(["Api.Example.Com.": pin(leaf)]))
        try await ScriptedServer.with(tls: ServerTLS(other)) { _ in
            [.respond()]
        } _: { server in
            let url = try #require(URL(string: "https://\(spelling):\(server.port)/"))
            do {
                _ = try await transport.data(for: URLRequest(url: url))
                Issue.record("accepted")
            } catch let error as TransportError {
                #expect(error.verdict?.finding.code == .pinMismatch)
            }
        }
    }

    @Test func anUnlistedHostIsJudgedByTheSystem() async throws {
        let (leaf, url, transport) = (self.leaf, self.url(_:host:), self.transport([Self.host: pin(other)]))
        try await ScriptedServer.with(tls: ServerTLS(leaf)) { _ in
            [.respond("ok")]
        } _: { server in
            let (data, _) = try await transport.data(
                for: URLRequest(url: url(server.port, "other.example.com")))
            #expect(data == Data("ok".utf8))
        }
        let stranger = try factory.leaf(["other.example.com"], signedBy: factory.authority("Rogue"))
        try await ScriptedServer.with(tls: ServerTLS(stranger)) { _ in
            [.respond("ok")]
        } _: { server in
            do {
                _ = try await transport.data(for: URLRequest(url: url(server.port, "other.example.com")))
                Issue.record("accepted")
            } catch let error as TransportError {
                #expect(error.verdict?.finding.code == .unknownIssuer)
            }
        }
    }

    @Test func aKeyThatIsNoHostRefusesEverything() async throws {
        let (leaf, url, transport) = (self.leaf, self.url(_:host:), self.transport(["not a host": pin(leaf)]))
        try await ScriptedServer.with(tls: ServerTLS(leaf)) { _ in
            [.respond()]
        } _: { server in
            do {
                _ = try await transport.data(for: URLRequest(url: url(server.port, Self.host)))
                Issue.record("accepted")
            } catch let error as TransportError {
                #expect(error.code == .trustRefused)
            }
        }
    }

    /// A custom evaluator may refuse what the system accepts.
    @Test func aCustomEvaluatorIsAsked() async throws {
        struct Never: ServerTrustEvaluator {
            struct Refusal: Error {}
            func evaluate(_ trust: ServerTrust, forHost host: String) async throws { throw Refusal() }
        }
        let (leaf, url, transport) = (self.leaf, self.url(_:host:), self.transport([Self.host: Never()]))
        try await ScriptedServer.with(tls: ServerTLS(leaf)) { _ in
            [.respond()]
        } _: { server in
            do {
                _ = try await transport.data(for: URLRequest(url: url(server.port, Self.host)))
                Issue.record("accepted")
            } catch let error as TransportError {
                #expect(error.verdict?.finding.code == .evaluatorRefused)
            }
        }
    }
}
