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

/// Pinning by domain with real connections.
@Suite struct PinningTransportTests {
    private static let host = "api.example.com"

    /// CRC-32 and length of "holdfast" (RFC 1952, 2.3.1).
    private static let gzipTrailer: [UInt8] = [0x1F, 0xD0, 0x74, 0x0C, 0x08, 0x00, 0x00, 0x00]

    private let factory = CertificateFactory()
    private let root: Identity
    private let leaf: Identity
    private let other: Identity

    init() throws {
        root = try factory.authority("Root")
        leaf = try factory.leaf([Self.host, "other.example.com"], signedBy: root)
        other = try factory.leaf([Self.host], signedBy: root)
    }

    private func transport(
        _ table: [String: any ServerTrustEvaluator], redirects: RedirectPolicy = .follow(),
        decompression: Decompression = .on()
    ) -> PinningTransport {
        let configuration = TransportConfiguration(
            clock: .fixed(factory.now), hostOverrides: [Self.host: "127.0.0.1", "other.example.com": "127.0.0.1"])
        return PinningTransport(
            pinnedDomains: table, anchors: .only([root.view]), redirects: redirects, decompression: decompression,
            configuration: configuration)
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

    /// By default redirects are followed, credentials stay with their origin, and the response has the last URL. With
    /// `.deliver` the caller gets the redirect.
    @Test func redirectsAreFollowedByDefault() async throws {
        let (leaf, url) = (self.leaf, self.url(_:host:))
        let table: [String: any ServerTrustEvaluator] = [Self.host: pin(leaf)]
        let (plain, following) = (transport(table, redirects: .deliver), transport(table))
        try await ScriptedServer.with(tls: ServerTLS(leaf)) { request in
            let port = request.field("Host")?.split(separator: ":").last ?? ""
            return request.target == "/x"
                ? [.respond(status: "302 Found", fields: ["Location: https://other.example.com:\(port)/y"])]
                : [.respond("there")]
        } _: { server in
            var request = URLRequest(url: try url(server.port, Self.host))
            request.setValue("Bearer secret", forHTTPHeaderField: "Authorization")
            let (_, delivered) = try await plain.data(for: request)
            #expect(delivered.statusCode == 302)
            #expect(delivered.url == request.url)
            let (data, response) = try await following.data(for: request)
            #expect(data == Data("there".utf8))
            #expect(
                response.url
                    == (try url(server.port, "other.example.com")).deletingLastPathComponent().appendingPathComponent(
                        "y"))
            let last = try #require(server.requests.last)
            #expect(last.target == "/y")
            #expect(last.field("Authorization") == nil)
        }
    }

    /// The evaluator of a redirect's target decides about the target.
    @Test func theTargetOfARedirectIsEvaluated() async throws {
        let leaf = self.leaf
        let transport = transport([Self.host: pin(leaf), "other.example.com": pin(other)])
        let start = self.url(_:host:)
        try await ScriptedServer.with(tls: ServerTLS(leaf)) { request in
            let port = request.field("Host")?.split(separator: ":").last ?? ""
            return [.respond(status: "302 Found", fields: ["Location: https://other.example.com:\(port)/y"])]
        } _: { server in
            let error = await #expect(throws: TransportError.self) {
                _ = try await transport.data(for: URLRequest(url: start(server.port, Self.host)))
            }
            #expect(error?.verdict?.subject?.host.text == "other.example.com")
            #expect(server.requests.count == 1)
        }
    }

    @Test func bodiesAreDecompressedByDefault() async throws {
        // gzip of "holdfast", with a stored block (RFC 1951, 3.2.4).
        let coded: [UInt8] =
            [
                0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 1, 8, 0, 0xF7, 0xFF, 0x68, 0x6F, 0x6C, 0x64, 0x66, 0x61, 0x73, 0x74,
            ] + Self.gzipTrailer
        let leaf = self.leaf
        let table: [String: any ServerTrustEvaluator] = [Self.host: pin(leaf)]
        let (plain, decoding) = (transport(table, decompression: .off), transport(table))
        let url = self.url(_:host:)
        try await ScriptedServer.with(tls: ServerTLS(leaf)) { request in
            guard request.field("Accept-Encoding") != nil else { return [.respond("plain")] }
            return [.text("HTTP/1.1 200 OK\nContent-Encoding: gzip\nContent-Length: \(coded.count)\n\n"), .send(coded)]
        } _: { server in
            let request = URLRequest(url: try url(server.port, Self.host))
            #expect(try await plain.data(for: request).0 == Data("plain".utf8))
            #expect(try await decoding.data(for: request).0 == Data("holdfast".utf8))
        }
    }

    /// A valid certificate of the right authority with a different key.
    @Test func aDifferentKeyIsRefusedWithTheVerdict() async throws {
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

    /// Pins apply to every spelling of a host.
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

    @Test func anUnlistedHostUsesTheSystemVerification() async throws {
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

    @Test func anInvalidHostKeyRefusesEverything() async throws {
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
    @Test func aCustomEvaluatorIsCalled() async throws {
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
