import HTTPTypes
import HoldfastNIO
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import Testing

/// Servers below the minimum TLS requirements are refused, each with its own error. Every server has a valid
/// certificate.
@Suite struct TLSFloorTests {
    let world: PinnedWorld

    init() throws {
        world = try PinnedWorld()
    }

    private func failure(_ tls: ServerTLS?, onConnect: [ScriptedAction] = []) async throws -> TransportError {
        let world = self.world
        var settings = ScriptedServer.Settings(tls: tls)
        settings.onConnect = onConnect
        settings.readsRequests = tls != nil
        return try await ScriptedServer.with(settings) { server in
            let client = HTTPClient(configuration: world.configuration())
            return try await transportError {
                _ = try await client.collect(HTTPRequest(port: server.port), upTo: 9)
            }
        }
    }

    @Test(arguments: [ServerTLS.Version.tls10, .tls11])
    func oldVersionsAreRefused(version: ServerTLS.Version) async throws {
        var tls = ServerTLS(world.leaf)
        tls.maximumVersion = version
        let error = try await failure(tls)
        #expect(error.code == .tlsHandshakeFailed)
        #expect(error.handshake?.code == .protocolVersion)
        #expect(error.verdict == nil)
    }

    @Test func rsaKeyExchangeIsRefused() async throws {
        var options = CertificateOptions()
        options.key = try Key.shared(.rsa2048, "rsa key exchange")
        let leaf = try world.factory.leaf([PinnedWorld.host], signedBy: world.intermediate, options)
        var tls = ServerTLS(leaf)
        tls.maximumVersion = .tls12
        // TLS_RSA_WITH_AES_128_GCM_SHA256 and its CBC variant.
        tls.cipherSuites = [0x9C, 0x2F]
        #expect(try await failure(tls).handshake?.code == .noSharedCipherSuite)
        // The same server is accepted with ECDHE, so the key exchange caused the refusal.
        tls.cipherSuites = [0xC02F]
        #expect(try await suite(of: tls) == "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256")
    }

    @Test func cbcIsRefused() async throws {
        var tls = ServerTLS(world.leaf)
        tls.maximumVersion = .tls12
        tls.cipherSuites = [0xC009, 0xC00A]
        #expect(try await failure(tls).handshake?.code == .noSharedCipherSuite)
        tls.cipherSuites = [0xC02B]
        #expect(try await suite(of: tls) == "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256")
    }

    private func suite(of tls: ServerTLS) async throws -> String? {
        let world = self.world
        return try await ScriptedServer.with(tls: tls) { _ in
            [.respond()]
        } _: { server in
            let client = HTTPClient(configuration: world.configuration())
            let facts = try await client.collect(HTTPRequest(port: server.port), upTo: 9).facts
            #expect(facts.tlsVersion == "TLSv1.2")
            return facts.cipherSuite
        }
    }

    @Test func aServerThatAnswersInCleartextIsReported() async throws {
        let error = try await failure(nil, onConnect: [.text("HTTP/1.1 400 Bad Request\n\n")])
        #expect(error.code == .tlsHandshakeFailed)
        #expect(error.handshake?.code == .notTLS)
        #expect(error.reason.contains("HTTP/1.1 400"))
    }

    @Test func aServerThatClosesAtOnceIsReported() async throws {
        let error = try await failure(nil, onConnect: [.close])
        // If the ClientHello is unread, the kernel may answer with a reset.
        let code = try #require(error.handshake?.code)
        #expect([.closed, .reset].contains(code))
    }

    /// A fatal alert, written as bytes: 80, internal error.
    @Test func anAlertIsReported() async throws {
        let error = try await failure(nil, onConnect: [.send([21, 3, 3, 0, 2, 2, 80])])
        #expect(error.handshake?.code == .alert)
        #expect(error.handshake?.alert == 80)
    }

    /// A server that selects TLS 1.1, which was not offered. The test writes the bytes, because BoringSSL would not do
    /// so.
    @Test func aServerThatSelectsAnOldVersionIsReported() async throws {
        let hello: [UInt8] = [2, 0, 0, 38, 3, 2] + Array(repeating: 7, count: 32) + [0, 0xC0, 0x2B, 0]
        let error = try await failure(nil, onConnect: [.send([22, 3, 2, 0, UInt8(hello.count)] + hello)])
        #expect(error.handshake?.code == .protocolVersion)
    }

    /// BoringSSL refuses a certificate that it cannot parse before it calls Holdfast. The error still has a verdict.
    /// In TLS 1.2 the certificate is not encrypted, so the test can write the bytes.
    @Test func anUnparseableCertificateHasAVerdict() async throws {
        let hello: [UInt8] = [2, 0, 0, 38, 3, 3] + Array(repeating: 7, count: 32) + [0, 0xC0, 0x2B, 0]
        let certificate: [UInt8] = [11, 0, 0, 10, 0, 0, 7, 0, 0, 4, 1, 2, 3, 4]
        let messages = hello + certificate
        let error = try await failure(nil, onConnect: [.send([22, 3, 3, 0, UInt8(messages.count)] + messages)])
        #expect(error.code == .trustRefused)
        #expect(error.verdict?.finding.code == .handshakeRefused)
    }
}
