import HTTPTypes
import HoldfastTransport
import HoldfastTransportTestSupport
import Synchronization
import Testing

/// Responses before the final response (status 1xx).
@Suite struct InformationalTests {
    private final class Seen: Sendable {
        private let storage = Mutex<[HTTPResponse]>([])
        var responses: [HTTPResponse] { storage.withLock(\.self) }
        func note(_ response: HTTPResponse) { storage.withLock { $0.append(response) } }
    }

    private static let hints =
        "HTTP/1.1 103 Early Hints\nLink: </style.css>; rel=preload\n\nHTTP/1.1 199\n\n"

    @Test func theCallerReceivesThem() async throws {
        let seen = Seen()
        try await ScriptedServer.with { _ in
            [.text(Self.hints), .respond("x")]
        } _: { server in
            let client = HTTPClient(configuration: .forPlainServers)
            let options = RequestOptions(onInformational: { seen.note($0) })
            let answer = try await client.collect(.plain(port: server.port), upTo: 9, options: options)
            #expect(answer.response.status == .ok)
            #expect(seen.responses.map(\.status.code) == [103, 199])
            #expect(seen.responses.first?.headerFields[values: .link] == ["</style.css>; rel=preload"])
            // Only the request that they answer receives them.
            _ = try await client.collect(.plain(port: server.port), upTo: 9)
            #expect(seen.responses.count == 2)
            #expect(server.connectionCount == 1)
        }
    }

    /// HTTP/2 delivers them in the same way.
    @Test func overHTTP2() async throws {
        let seen = Seen()
        let world = try PinnedWorld()
        try await ScriptedServer.with(tls: ServerTLS(world.leaf), version: .http2) { _ in
            [.text("HTTP/1.1 103 Early Hints\nLink: </style.css>\n\n"), .respond("x")]
        } _: { server in
            let client = HTTPClient(configuration: world.configuration())
            let options = RequestOptions(onInformational: { seen.note($0) })
            let answer = try await client.collect(HTTPRequest(port: server.port), upTo: 9, options: options)
            #expect(answer.facts.applicationProtocol == "h2")
            #expect(seen.responses.map(\.status.code) == [103])
            await client.shutdown()
        }
    }

    @Test func the100ResponseIsAmongThem() async throws {
        let seen = Seen()
        var settings = ScriptedServer.Settings()
        settings.onHead = { _ in [.text("HTTP/1.1 100 Continue\n\n")] }
        settings.onRequest = { _ in [.respond("x")] }
        try await ScriptedServer.with(settings) { server in
            let client = HTTPClient(configuration: .forPlainServers)
            let options = RequestOptions(onInformational: { seen.note($0) })
            _ = try await client.collect(
                .plain(.post, port: server.port, [.expect: "100-continue"]), body: .bytes([1, 2]), upTo: 9,
                options: options)
            #expect(seen.responses.map(\.status.code) == [100])
            #expect(server.requests.first?.body == [1, 2])
        }
    }

    /// The limit counts the delivered responses, exactly.
    @Test func theirNumberIsLimited() async throws {
        let seen = Seen()
        try await ScriptedServer.with { _ in
            [.text(Self.hints + Self.hints), .respond("x")]
        } _: { server in
            var configuration = TransportConfiguration.forPlainServers
            configuration.limits.informationalResponses = 3
            let client = HTTPClient(configuration: configuration)
            let options = RequestOptions(onInformational: { seen.note($0) })
            let error = try await transportError {
                _ = try await client.collect(.plain(port: server.port), upTo: 9, options: options)
            }
            #expect(error.code == .tooManyInformationalResponses)
            #expect(seen.responses.count == 3)
        }
    }
}

extension HTTPField.Name {
    fileprivate static var link: Self { HTTPField.Name("Link") ?? .accept }
}
