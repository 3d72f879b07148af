import Foundation
import HTTPTypes
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import HoldfastWebSocket
import Testing

/// Tests the server role behind nginx, which terminates TLS with the pinned key.
@Suite(.enabled(if: PeerProgram.nginx.isInstalled, "nginx is not installed")) struct NginxTests {
    private static func configuration(_ world: PeerFolder, port: UInt16, upstream: Int, nobody: UInt16) -> String {
        world.nginx(
            http: """
                server {
                    \(world.nginxListens(port))
                    ssl_protocols TLSv1.2 TLSv1.3;
                    proxy_http_version 1.1;
                    location / {
                        proxy_pass http://127.0.0.1:\(upstream);
                        proxy_set_header Upgrade $http_upgrade;
                        proxy_set_header Connection "upgrade";
                        proxy_set_header Host $host;
                    }
                    location /forgotten { proxy_pass http://127.0.0.1:\(upstream); }
                    location /nobody { proxy_pass http://127.0.0.1:\(nobody); }
                }
                """)
    }

    /// Runs `body` with a server behind nginx; `stop` stops nginx.
    private func withNginx(
        _ options: WebSocketServerOptions = WebSocketServerOptions(keepAlive: nil),
        service: @escaping WebSocketTestServer.Service = WebSocketTestServer.echo,
        _ body: @Sendable (PeerFolder, UInt16, _ stop: @Sendable () async throws -> Void) async throws -> Void
    ) async throws {
        try await PeerFolder.with { world in
            let server = try await WebSocketTestServer.start(options: options, service: service)
            try await RefusingPort.with { nobody in
                let (port, stop) = try await world.startNginx { port in
                    Self.configuration(world, port: port, upstream: server.port, nobody: nobody)
                }
                do {
                    try await body(world, port, stop)
                } catch {
                    try? await stop()
                    throw error
                }
                try? await stop()
            }
            await server.stop()
        }
    }

    @Test(arguments: [false, true])
    func echoesMessages(deflate: Bool) async throws {
        let compression = deflate ? WebSocketDeflate() : nil
        try await withNginx(WebSocketServerOptions(keepAlive: nil, deflate: compression)) { world, port, _ in
            let connection = try await world.client().connect(
                world.url("/echo?x=1", port: port),
                options: WebSocketOptions(fragmentSize: 50_000, deflate: compression)
            )
            #expect(connection.usesDeflate == deflate)
            #expect(connection.facts.verdict?.finding.code == .pinMatched)
            #expect(connection.facts.tlsVersion == "TLSv1.3")
            var messages = connection.messages.makeAsyncIterator()
            let all: [WebSocketMessage] = [
                .text("Hello"), .text(""), .text(String(repeating: "Grüße ", count: 200_000)),
                .binary((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) }),
            ]
            for message in all {
                try await connection.send(message)
                #expect(try await messages.next() == message)
            }
            #expect(try await connection.ping() > .zero)
            await connection.close(.normal, reason: "done")
            #expect(connection.closure == WebSocketClosure(code: .normal, initiator: .local, isClean: true))
        }
    }

    @Test func deliversTheServersClose() async throws {
        try await withNginx(service: { connection, _ in
            await connection.close(.tryAgainLater, reason: "busy")
        }) { world, port, _ in
            let connection = try await world.client().connect(world.url("/", port: port))
            for try await message in connection.messages { Issue.record("\(message)") }
            #expect(
                connection.closure
                    == WebSocketClosure(code: .tryAgainLater, reason: "busy", initiator: .remote, isClean: true))
        }
    }

    @Test func refusesAnotherKey() async throws {
        try await withNginx(service: { _, _ in Issue.record("The server was reached.") }) { world, port, _ in
            let error = await #expect(throws: TransportError.self) {
                try await world.client(pin: world.other).connect(world.url("/", port: port))
            }
            #expect(error?.verdict?.finding.code == .pinMismatch)
        }
    }

    /// Without its three WebSocket directives, nginx forwards a plain request. The upstream server may also be down.
    @Test func reportsNginxsOwnResponses() async throws {
        try await withNginx { world, port, _ in
            for (path, status, body) in [("/forgotten", 200, "plain"), ("/nobody", 502, nil)] {
                let error = await #expect(throws: WebSocketError.self) {
                    try await world.client().connect(world.url(path, port: port))
                }
                #expect(error?.code == .upgradeRefused && error?.refusal?.status == status)
                if let body { #expect(error?.refusal?.body == Array(body.utf8)) }
            }
        }
    }

    @Test func reportsALostConnectionWhenNginxStops() async throws {
        try await withNginx { world, port, stop in
            let connection = try await world.client().connect(world.url("/", port: port))
            var messages = connection.messages.makeAsyncIterator()
            try await connection.send(.text("still there?"))
            #expect(try await messages.next() == .text("still there?"))
            try await stop()
            let error = await #expect(throws: WebSocketError.self) { _ = try await messages.next() }
            #expect(error?.code == .connectionLost)
            #expect(connection.closure?.code == .abnormal && connection.closure?.isClean == false)
        }
    }
}
