import AsyncHTTPClient
import ExampleServer
import HoldfastTrust
import NIOCore
import NIOSSL

/// What users of async-http-client can do today. It makes its own TLS handlers and has no hook for verification, so this is
/// less than Holdfast's own client does; docs/clients.md says how much less.
@main
struct AHCClientExample {
    static func main() async throws {
        let identity = try ExampleIdentity()
        let stranger = try ExampleIdentity()
        for http2 in [false, true] {
            let server = try await ExampleHTTPServer.start(identity, http2: http2)
            let url = "https://localhost:\(server.port)/"
            let version = http2 ? "HTTP/2" : "HTTP/1.1"
            for (name, other) in [("its root", identity), ("another root", stranger)] {
                try await report("\(version), roots limited to \(name)", mustPass: name == "its root") {
                    try await get(url, with: limited(toRoot: other.root))
                }
            }
            for (name, other) in [("its key", identity), ("another key", stranger)] {
                try await report("\(version), leaf pinned to \(name)", mustPass: name == "its key") {
                    try await get(url, with: pinned(toLeafKeys: [other.key], under: identity.root))
                }
            }
            // Refused connections carried no request.
            guard server.requests == 2 else { throw Unexpected("the server saw \(server.requests) requests") }
            try await server.stop()
        }
    }

    /// One root in the place of the system's: a pin of a private CA. NIOSSL verifies, by its own rules.
    static func limited(toRoot root: CertificateView) throws -> HTTPClient.Configuration {
        var configuration = careful()
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv12
        tls.trustRoots = .certificates([try NIOSSLCertificate(bytes: root.der, format: .der)])
        configuration.tlsConfiguration = tls
        return configuration
    }

    /// Pins of the server's own key, checked when the handshake is over and before the connection carries a request.
    ///
    /// NIOSSL verifies the chain and the name first. The check sees the server's own certificate alone, never the chain, and
    /// does not know the host: one client is for the hosts that share these keys, and all others are refused.
    static func pinned(
        toLeafKeys pins: Set<SPKIDigest>, under root: CertificateView
    ) throws -> HTTPClient.Configuration {
        let check: @Sendable (any Channel) -> EventLoopFuture<Void> = { channel in
            channel.eventLoop.submit {
                guard let leaf = try channel.pipeline.syncOperations.nioSSL_peerCertificate(),
                    pins.contains(try CertificateView(der: try leaf.toDERBytes()).spkiDigest)
                else { throw WrongKey() }
            }.flatMapErrorThrowing { error in
                // The client forgets a connection that fails here, and does not close it.
                channel.close(promise: nil)
                throw error
            }
        }
        var configuration = try limited(toRoot: root)
        // Mandatory: with the default, `true`, a connection that fails in these closures is tried again while its own end is
        // still on the way, and a precondition of the client's pool ends the whole process (async-http-client 1.37).
        configuration.connectionPool.retryConnectionEstablishment = false
        // They are called for every new connection, over a proxy too, before its first request.
        configuration.http1_1ConnectionDebugInitializer = check
        configuration.http2ConnectionDebugInitializer = check
        return configuration
    }

    struct WrongKey: Error {}

    /// No redirects to hosts that nobody meant, and no second try at a server that was refused.
    static func careful() -> HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.connectionPool.retryConnectionEstablishment = false
        return configuration
    }

    static func get(_ url: String, with configuration: HTTPClient.Configuration) async throws -> String {
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        do {
            let response = try await client.execute(HTTPClientRequest(url: url), timeout: .seconds(20))
            let text = String(buffer: try await response.body.collect(upTo: 1 << 20))
            try await client.shutdown()
            return text
        } catch {
            try await client.shutdown()
            throw error
        }
    }

    static func report(
        _ name: String, mustPass: Bool, _ body: @Sendable () async throws -> String
    ) async throws {
        do {
            let text = try await body()
            guard mustPass else { throw Unexpected("\(name): accepted") }
            print("\(name): accepted, and said \(text)")
        } catch let error as Unexpected {
            throw error
        } catch {
            guard !mustPass else { throw error }
            print("\(name): refused, \(error)")
        }
    }
}
