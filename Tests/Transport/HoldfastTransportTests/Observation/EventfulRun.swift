import Foundation
import HTTPTypes
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import Testing

/// A run of clients that causes every observable event at least once, including failures. Secrets are in every place
/// where a caller can put them.
struct EventfulRun: Sendable {
    /// The secrets: in header fields, the query, bodies of both sides, the proxy's credentials, errors and a
    /// `Location` field.
    static let secrets = [
        "secret-authorization", "secret-cookie", "secret-query", "secret-body", "secret-user", "secret-password",
        "secret-error", "secret-answer", "secret-location", "secret-path", "secret-field",
        // The proxy's credentials as they are sent.
        "c2VjcmV0LXVzZXI6c2VjcmV0LXBhc3N3b3Jk",
    ]

    private struct OwnError: Error, CustomStringConvertible {
        let description = "secret-error"
    }

    private static let proxyHost = "proxy.example.net"
    static let fields: HTTPFields = [
        .authorization: "Bearer secret-authorization", .cookie: "id=secret-cookie", .userAgent: "secret-field",
    ]

    let observed = Observed()
    private let world: PinnedWorld
    private let proxyLeaf: Identity

    /// Runs everything.
    init() async throws {
        world = try PinnedWorld()
        proxyLeaf = try world.factory.leaf([Self.proxyHost], signedBy: world.root)
        try await requests()
        try await refusals()
        try await changes()
        try await proxies()
        try await dangers()
        try await reports()
        try await bundles()
        try await rollouts()
    }

    private func request(_ port: UInt16, _ path: String = "", host: String = PinnedWorld.host) -> HTTPRequest {
        HTTPRequest(.post, port: port, host: host, path: "/secret-path\(path)?token=secret-query", Self.fields)
    }

    private func send(_ client: HTTPClient, _ request: HTTPRequest, _ options: RequestOptions = RequestOptions()) async
    {
        _ = try? await client.collect(request, body: .bytes(Array("secret-body".utf8)), upTo: 99, options: options)
    }

    private func requests() async throws {
        let trust = world.trust
        let rule = try PinningRule(
            HostPattern(PinnedWorld.host), pins: PinSet([Pin(world.rogue.spkiDigest)]), enforcement: .reportOnly)
        let rehearsal = TrustContext.policy(
            try PinningPolicy(name: "rehearsal", rules: [rule], backupPins: .off), anchors: .only([world.root.view]))
        try await ScriptedServer.with(tls: ServerTLS(world.leaf)) { request in
            switch request.target.split(separator: "?").first {
            case "/secret-path/garbage": [.text("HTTP/1.1 200 OK\nsecret-answer\n\n")]
            case "/secret-path/cut": [.cut]
            case "/secret-path/404": [.respond("secret-answer", status: "404 secret-answer")]
            case "/secret-path/away":
                [
                    .respond(
                        status: "302 Found",
                        fields: ["Location: https://secret-location.example.com\\x?secret-location"])
                ]
            case "/secret-path/on":
                [.respond(status: "302 Found", fields: ["Location: /secret-path?secret-location"])]
            default: request.number < 2 ? [.respond("secret-answer")] : [.close]
            }
        } _: { server in
            for _ in 0..<2 {
                let client = observed.client(world.configuration(trust: trust))
                await send(client, request(server.port))
                for path in ["/404", "/garbage", "/cut", "/away", "/on"] {
                    await send(client, request(server.port, path), RequestOptions(redirects: .follow()))
                }
                // Each connection carries two responses. The third request finds the connection closed, and is
                // retried.
                for _ in 0..<3 {
                    _ = try? await client.collect(
                        HTTPRequest(port: server.port, path: "/?secret-query", Self.fields), upTo: 99)
                }
                _ = try? await client.collect(
                    HTTPRequest(port: server.port), body: .stream(length: nil) { _ in throw OwnError() }, upTo: 99)
                await #expect(throws: OwnError.self) {
                    try await client.execute(HTTPRequest(port: server.port)) { _, _ in throw OwnError() }
                }
                await client.shutdown()
            }
            let client = observed.client(world.configuration(trust: rehearsal))
            await send(client, request(server.port))
            await client.shutdown()
        }
    }

    private func refusals() async throws {
        try await RefusingPort.with { await send(observed.client(world.configuration()), request($0)) }
        var expired = CertificateOptions()
        expired.notBefore = world.factory.now.advanced(bySeconds: -90 * 86_400)
        expired.notAfter = world.factory.now.advanced(bySeconds: -86_400)
        // Two defects: one decides, the other is a notice.
        let worst = try world.factory.leaf(["other.example.com"], signedBy: world.intermediate, expired)
        for identity in [world.rogue, worst] {
            try await ScriptedServer.with(tls: ServerTLS(identity)) { _ in
                [.respond()]
            } _: { server in
                await send(observed.client(world.configuration()), request(server.port))
            }
        }
        var settings = ScriptedServer.Settings()
        settings.onConnect = [.text("secret-nothing SSH\n"), .close]
        settings.readsRequests = false
        try await ScriptedServer.with(settings) { server in
            await send(observed.client(world.configuration()), request(server.port))
        }
    }

    private func changes() async throws {
        func policy(_ identity: Identity) throws -> PinningPolicy {
            let pins = PinSet([Pin(identity.spkiDigest)])
            return try PinningPolicy(
                name: "pins", rules: [PinningRule(HostPattern(PinnedWorld.host), pins: pins)], backupPins: .off)
        }
        let holder = PolicyHolder(try policy(world.leaf))
        let next = try policy(world.rogue)
        try await ScriptedServer.with(tls: ServerTLS(world.leaf)) { _ in
            [.respond()]
        } _: { server in
            let trust = TrustContext.policies(holder, anchors: .only([world.root.view]))
            let client = observed.client(world.configuration(trust: trust))
            await send(client, request(server.port))
            holder.replace(with: next)
            await observed.untilCounted("holdfast.connections.cut")
            await client.untilAllAreClosed()
        }
    }

    private func proxies() async throws {
        try await ScriptedServer.with(tls: ServerTLS(world.leaf)) { _ in
            [.respond()]
        } _: { server in
            for answer in ["200 OK", "407 secret-answer"] {
                let steps: [ScriptedProxyStep] = [
                    .awaitHead, .text("HTTP/1.1 \(answer)\r\n\r\n"), .tunnel(to: server.port),
                ]
                try await ScriptedProxy.with(tls: ServerTLS(proxyLeaf), steps) { proxy in
                    var configuration = world.configuration()
                    configuration.hostOverrides = [Self.proxyHost: "127.0.0.1"]
                    configuration.proxies = .server(
                        try ProxyServer(
                            .https, host: CanonicalHost(Self.proxyHost), port: proxy.port,
                            credentials: ProxyCredentials(user: "secret-user", password: "secret-password")))
                    configuration.proxyAnchors = .only([world.root.view])
                    let client = observed.client(configuration)
                    await send(client, request(8443))
                    await client.shutdown()
                }
            }
        }
    }

    private func dangers() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "holdfast-\(UUID()).keys").path
        defer { try? FileManager.default.removeItem(atPath: file) }
        var configuration = world.configuration()
        configuration.dangerouslyAllowsCleartext = true
        configuration.dangerouslyKeyLogFile = file
        let client = observed.client(configuration)
        try await ScriptedServer.with { _ in
            [.respond()]
        } _: { server in
            guard let method = HTTPRequest.Method(rawValue: "PROPFIND") else { throw MissingError() }
            _ = try? await client.collect(.plain(method, port: server.port), upTo: 9)
            await client.shutdown()
        }
    }
}
