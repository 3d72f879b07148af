import Foundation
import HoldfastNetworking
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A transport with the app's own session, or with the platform's default connections.
@Suite struct URLSessionTransportTests {
    @Test func aSessionWithoutDelegateCarriesRequests() async throws {
        try await ScriptedServer.with { _ in
            [.respond("ok")]
        } _: { server in
            let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/x"))
            for transport in [
                URLSessionTransport(session: URLSession(configuration: .ephemeral)), URLSessionTransport(),
            ] {
                let (data, response) = try await transport.data(for: URLRequest(url: url))
                #expect(data == Data("ok".utf8))
                #expect(response.statusCode == 200)
            }
        }
    }

    #if canImport(FoundationNetworking)
    private final class Delegate: NSObject, URLSessionDelegate {}

    /// The session's pinning would silently be disabled, so nothing is sent.
    @Test func aSessionWhoseDelegateIsNotAskedIsRefused() async throws {
        try await ScriptedServer.with { _ in
            [.respond("ok")]
        } _: { server in
            let session = URLSession(configuration: .ephemeral, delegate: Delegate(), delegateQueue: nil)
            let transport = URLSessionTransport(session: session)
            let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/x"))
            await #expect(throws: UnbridgedSessionError.self) { try await transport.data(for: URLRequest(url: url)) }
            #expect(server.connectionCount == 0)
        }
    }

    // MARK: The floor

    private static let host = "localhost"

    /// Returns the error of a request to a server over the default connections.
    private func failure(_ tls: ServerTLS) async throws -> TransportError? {
        try await ScriptedServer.with(tls: tls) { _ in
            [.respond("ok")]
        } _: { server in
            let url = try #require(URL(string: "https://\(Self.host):\(server.port)/"))
            let error = await #expect(throws: TransportError.self) {
                _ = try await URLSessionTransport().data(for: URLRequest(url: url))
            }
            #expect(server.requests.isEmpty)
            return error
        }
    }

    @Test(arguments: [ServerTLS.Version.tls10, .tls11])
    func oldVersionsAreRefusedByDefault(version: ServerTLS.Version) async throws {
        var tls = ServerTLS(try CertificateFactory().leaf([Self.host], signedBy: nil))
        tls.maximumVersion = version
        #expect(try await failure(tls)?.code == .tlsHandshakeFailed)
    }

    @Test func weakCipherSuitesAreRefusedByDefault() async throws {
        var options = CertificateOptions()
        options.key = try Key.shared(.rsa2048, "rsa key exchange")
        var tls = ServerTLS(try CertificateFactory().leaf([Self.host], signedBy: nil, options))
        tls.maximumVersion = .tls12
        // RSA key exchange with GCM and with CBC; ECDHE with CBC.
        for suites: [UInt16] in [[0x9C, 0x2F], [0xC013, 0xC014]] {
            tls.cipherSuites = suites
            #expect(try await failure(tls)?.code == .tlsHandshakeFailed)
        }
        // With ECDHE and GCM the handshake reaches the verification, which does not know the issuer.
        tls.cipherSuites = [0xC02F]
        #expect(try await failure(tls)?.code == .trustRefused)
    }

    /// Cleartext to a different machine is refused for every session. The name does not resolve, and must not be
    /// looked up.
    @Test func cleartextIsRefused() async throws {
        let sessions: [URLSessionTransport] = [
            URLSessionTransport(), URLSessionTransport(session: .shared),
            URLSessionTransport(session: URLSession(configuration: .ephemeral)),
            URLSessionTransport(session: URLSession(pinnedBy: .system())),
        ]
        for transport in sessions {
            for address in ["http://api.invalid/", "HTTP://192.0.2.1/", "http://127.0.0.1.nip.invalid/"] {
                let request = URLRequest(url: try #require(URL(string: address)))
                let error = await #expect(throws: TransportError.self) { _ = try await transport.data(for: request) }
                #expect(error?.code == .cleartextRefused, "\(address)")
            }
        }
    }

    /// A redirect must not lead to cleartext either.
    @Test func aRedirectToCleartextIsRefused() async throws {
        try await ScriptedServer.with { _ in
            [.respond(status: "302 F", fields: ["Location: http://192.0.2.1/"])]
        } _: { server in
            let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/"))
            for transport in [
                URLSessionTransport(), URLSessionTransport(session: URLSession(configuration: .ephemeral)),
            ] {
                let error = await #expect(throws: TransportError.self) {
                    _ = try await transport.data(for: URLRequest(url: url))
                }
                #expect(error?.code == .cleartextRefused)
            }
        }
    }

    // MARK: A native session's redirects

    /// FoundationNetworking would copy all fields to the redirected request.
    @Test func credentialsOfANativeSessionAreRemoved() async throws {
        let names = ["Authorization", "Cookie", "Proxy-Authorization"]
        try await ScriptedServer.with { _ in
            [.respond("ok")]
        } _: { foreign in
            try await ScriptedServer.with { request in
                [
                    .respond(
                        status: "307 T",
                        fields: [
                            "Location: \(request.target == "/x" ? "/y" : "http://127.0.0.1:\(foreign.port)/z?q=1#f")"
                        ])
                ]
            } _: { server in
                var request = URLRequest(url: try #require(URL(string: "http://127.0.0.1:\(server.port)/x")))
                request.httpMethod = "POST"
                request.httpBody = Data("body".utf8)
                request.setValue("kept", forHTTPHeaderField: "X-Other")
                for name in names { request.setValue("secret", forHTTPHeaderField: name) }
                let transport = URLSessionTransport(session: URLSession(configuration: .ephemeral))
                let (data, response) = try await transport.data(for: request)
                #expect(data == Data("ok".utf8))
                #expect(response.url?.absoluteString == "http://127.0.0.1:\(foreign.port)/z?q=1")
                #expect(server.requests.map(\.target) == ["/x", "/y"])
                for request in server.requests {
                    #expect(names.allSatisfy { request.field($0) == "secret" })
                }
            }
            let request = try #require(foreign.requests.first)
            #expect(foreign.requests.count == 1)
            #expect(request.method == "POST" && request.body == Array("body".utf8))
            #expect(request.field("X-Other") == "kept")
            #expect(names.allSatisfy { request.field($0) == nil })
        }
    }

    /// A server that sets a cookie and redirects to the same page does not cause a loop.
    @Test func aNativeSessionMayBeRedirectedToTheSameURL() async throws {
        try await ScriptedServer.with { request in
            request.field("Cookie") == "a=1"
                ? [.respond("ok")] : [.respond(status: "302 F", fields: ["Location: /x", "Set-Cookie: a=1; Path=/"])]
        } _: { server in
            let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/x"))
            let transport = URLSessionTransport(session: URLSession(configuration: .ephemeral))
            let (data, _) = try await transport.data(for: URLRequest(url: url))
            #expect(data == Data("ok".utf8))
            #expect(server.requests.count == 2)
        }
    }

    @Test func endlessRedirectsOfANativeSessionEnd() async throws {
        try await ScriptedServer.with { _ in
            [.respond(status: "302 F", fields: ["Location: /x"])]
        } _: { server in
            let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/x"))
            let transport = URLSessionTransport(session: URLSession(configuration: .ephemeral))
            let error = await #expect(throws: TransportError.self) {
                _ = try await transport.data(for: URLRequest(url: url))
            }
            #expect(error?.code == .tooManyRedirects)
            #expect(server.requests.count == 11)
        }
    }
    #endif
}
