import AsyncHTTPClient
import ExampleServer
import Foundation
import HoldfastTestKit
import HoldfastTrust
import NIOCore
import NIOSSL

/// Pins with async-http-client. It creates its own TLS handlers and has no hook for verification. Therefore this
/// protects less than Holdfast's own client; docs/clients.md lists the differences.
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
            // Refused connections must not carry a request.
            guard server.requests == 2 else { throw Unexpected("the server saw \(server.requests) requests") }
            try await server.stop()
        }
        try await attack()
    }

    /// Runs the attacks of Holdfast's test kit on a client with leaf keys, which must refuse all of them. A client
    /// without pins must accept those of another authority that it trusts.
    static func attack() async throws {
        let trial = try PinningTrial()
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv12
        tls.trustRoots = .file(trial.caFile)
        let unpinned = careful(tls)
        let pinned = checkingLeafKeys(Set(trial.pins), in: unpinned)
        try await trial.requireRefusals { url in try await get(url.absoluteString, with: pinned) }
        print("attacks on a client with leaf keys: all refused")
        let report = try await trial.report { url in try await get(url.absoluteString, with: unpinned) }
        guard report.accepted == [.wrongKey, .smuggledPin], report.failures.count == 2 else {
            throw Unexpected("attacks on a client without pins:\n\(report)")
        }
        print("attacks on a client without pins: accepted \(report.accepted)")
    }

    /// Limits the trusted roots to one, which replaces the system's roots: a pin of a private CA. NIOSSL verifies the
    /// chain.
    static func limited(toRoot root: CertificateView) throws -> HTTPClient.Configuration {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv12
        tls.trustRoots = .certificates([try NIOSSLCertificate(bytes: root.der, format: .der)])
        return careful(tls)
    }

    /// Pins the server's own key. The pin is checked after the handshake and before the connection carries a request.
    ///
    /// NIOSSL verifies the chain and the name first. The check sees only the server's own certificate, not the chain or
    /// the host. Therefore the client is only for hosts that share these keys. It refuses all others.
    static func pinned(
        toLeafKeys pins: Set<SPKIDigest>, under root: CertificateView
    ) throws -> HTTPClient.Configuration {
        try checkingLeafKeys(pins, in: limited(toRoot: root))
    }

    /// Returns the configuration with a comparison of the server's own key.
    static func checkingLeafKeys(
        _ pins: Set<SPKIDigest>, in configuration: HTTPClient.Configuration
    ) -> HTTPClient.Configuration {
        let check: @Sendable (any Channel) -> EventLoopFuture<Void> = { channel in
            channel.eventLoop.submit {
                guard let leaf = try channel.pipeline.syncOperations.nioSSL_peerCertificate(),
                    pins.contains(try CertificateView(der: try leaf.toDERBytes()).spkiDigest)
                else { throw WrongKey() }
            }.flatMapErrorThrowing { error in
                // The client does not close a connection that fails here.
                channel.close(promise: nil)
                throw error
            }
        }
        var configuration = configuration
        // Required: by default, async-http-client 1.37 retries a connection that fails in these closures before it is
        // closed. A precondition of its pool then ends the process.
        configuration.connectionPool.retryConnectionEstablishment = false
        // The client calls these for every new connection, also over a proxy, before the first request.
        configuration.http1_1ConnectionDebugInitializer = check
        configuration.http2ConnectionDebugInitializer = check
        return configuration
    }

    struct WrongKey: Error {}

    /// Returns a configuration without redirects to unexpected hosts and without a retry to a refused server.
    static func careful(_ tls: TLSConfiguration) -> HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration(tlsConfiguration: tls, redirectConfiguration: .disallow)
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
