import Foundation
import HoldfastNetworking
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import Synchronization
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The access token stays with its origin (RFC 6454), whatever its header field. A 401 response counts only for the
/// token and the origin of the request that it answers.
@Suite struct TokenOriginTests {
    /// An auth service for an API that sends the token in its own header field.
    private struct FieldAuth: AuthServiceProtocol {
        let keyChainStore: any KeyChainStoreProtocol = InMemoryKeyChainStore()
        var headerField: String { "x-access-token" }
        var headerValuePrefix: String { "" }
    }

    private actor Invalidations: TokenInvalidationHandler {
        var count = 0
        func handleInvalidToken() { count += 1 }
    }

    /// A transport that follows redirects.
    struct Carrier: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var make: @Sendable () -> any HTTPTransportProtocol

        static var all: [Carrier] {
            var all = [
                Carrier(testDescription: "HTTPClientTransport") { HTTPClientTransport(redirects: .follow()) },
                Carrier(testDescription: "PinningTransport") {
                    PinningTransport(pinnedDomains: [:], redirects: .follow())
                },
                Carrier(testDescription: "RetryTransport over ETagTransport") {
                    RetryTransport(inner: ETagTransport(inner: HTTPClientTransport(redirects: .follow())))
                },
                Carrier(testDescription: "URLSessionTransport of a native session") {
                    URLSessionTransport(session: URLSession(configuration: .ephemeral))
                },
            ]
            #if canImport(FoundationNetworking)
            all.append(
                Carrier(testDescription: "URLSessionTransport of a pinned session") {
                    URLSessionTransport(session: URLSession(pinnedBy: .system()))
                })
            #endif
            return all
        }
    }

    private static let field = "X-Access-Token"

    private func environment(_ server: ScriptedServer) -> DefaultAPIEnvironment {
        DefaultAPIEnvironment(baseURL: URL(string: "http://127.0.0.1:\(server.port)"))
    }

    private func endpoint(_ path: String, _ method: HoldfastNetworking.HTTPMethod) -> Endpoint {
        let body = method == .get ? nil : ["id": EndpointAnyEncodable(5)]
        return Endpoint(path: path, method: method, body: body, requiresAuth: true)
    }

    @Test(
        arguments: Carrier.all,
        [(302, HoldfastNetworking.HTTPMethod.get), (307, .get), (307, .post), (308, .put), (302, .post), (303, .patch)])
    func theTokenStaysWithItsOrigin(
        carrier: Carrier, redirect: (status: Int, method: HoldfastNetworking.HTTPMethod)
    ) async throws {
        let auth = FieldAuth()
        try await auth.saveAccessToken("t0ken")
        let handler = Invalidations()
        try await ScriptedServer.with { _ in
            [.respond("no", status: "401 Unauthorized")]
        } _: { foreign in
            try await ScriptedServer.with { _ in
                [.respond(status: "\(redirect.status) M", fields: ["Location: http://127.0.0.1:\(foreign.port)/there"])]
            } _: { server in
                let service = HTTPNetworkService(
                    transport: carrier.make(), authService: auth, invalidationHandler: handler)
                await #expect(throws: NetworkError.httpStatusError(.unauthorized)) {
                    try await service.requestVoid(to: endpoint("x", redirect.method), via: environment(server))
                }
                #expect(server.requests.map { $0.field(Self.field) } == ["t0ken"])
            }
            #expect(foreign.requests.count == 1)
            #expect(foreign.requests.first?.field(Self.field) == nil)
        }
        #expect(await handler.count == 0)
    }

    /// A redirect back to the first origin does not add the token again: the 401 answers a request without a token.
    @Test(arguments: Carrier.all)
    func aReturningRedirectDoesNotRestoreTheToken(carrier: Carrier) async throws {
        let auth = FieldAuth()
        try await auth.saveAccessToken("t0ken")
        let handler = Invalidations()
        let home = Mutex("")
        try await ScriptedServer.with { _ in
            [.respond(status: "302 F", fields: ["Location: \(home.withLock(\.self))"])]
        } _: { foreign in
            try await ScriptedServer.with { request in
                request.target == "/x"
                    ? [.respond(status: "302 F", fields: ["Location: http://127.0.0.1:\(foreign.port)/there"])]
                    : [.respond("no", status: "401 Unauthorized")]
            } _: { server in
                home.withLock { $0 = "http://127.0.0.1:\(server.port)/back" }
                let service = HTTPNetworkService(
                    transport: carrier.make(), authService: auth, invalidationHandler: handler)
                await #expect(throws: NetworkError.httpStatusError(.unauthorized)) {
                    try await service.requestVoid(to: endpoint("x", .get), via: environment(server))
                }
                #expect(server.requests.map { $0.field(Self.field) } == ["t0ken", nil])
            }
        }
        #expect(await handler.count == 0)
    }

    /// On the same origin the redirected request keeps the token, and a 401 counts.
    @Test(arguments: Carrier.all)
    func theTokensOriginMayRefuseIt(carrier: Carrier) async throws {
        let auth = FieldAuth()
        try await auth.saveAccessToken("t0ken")
        let handler = Invalidations()
        try await ScriptedServer.with { request in
            request.target == "/x"
                ? [.respond(status: "302 F", fields: ["Location: /y"])] : [.respond("no", status: "401 Unauthorized")]
        } _: { server in
            let service = HTTPNetworkService(
                transport: carrier.make(), authService: auth, invalidationHandler: handler)
            await #expect(throws: NetworkError.httpStatusError(.unauthorized)) {
                try await service.requestVoid(to: endpoint("x", .get), via: environment(server))
            }
            #expect(server.requests.map { $0.field(Self.field) } == ["t0ken", "t0ken"])
        }
        #expect(await handler.count == 1)
    }

    /// The attack: a different origin answers 401, so that the app refreshes or deletes a valid token.
    @Test(arguments: Carrier.all)
    func anotherOriginStartsNoRefresh(carrier: Carrier) async throws {
        let auth = FieldAuth()
        try await auth.saveAccessToken("t0ken")
        let refreshes = Mutex(0)
        try await ScriptedServer.with { _ in
            [.respond("no", status: "401 Unauthorized")]
        } _: { foreign in
            try await ScriptedServer.with { _ in
                [.respond(status: "302 F", fields: ["Location: http://127.0.0.1:\(foreign.port)/"])]
            } _: { server in
                let transport = ReauthTransport(inner: carrier.make(), authService: auth) {
                    refreshes.withLock { $0 += 1 }
                }
                let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/x"))
                let (_, response) = try await transport.data(for: auth.authorize(URLRequest(url: url)))
                #expect(response.statusCode == 401)
                #expect(server.requests.count == 1)
            }
            #expect(foreign.requests.map { $0.field(Self.field) } == [nil])
        }
        #expect(refreshes.withLock { $0 } == 0)
    }

    /// A 401 for a token that was replaced in the meantime does not count for the new token.
    @Test func aRefusalOfAReplacedTokenDoesNotCount() async throws {
        let auth = FieldAuth()
        try await auth.saveAccessToken("old")
        let handler = Invalidations()
        let transport = FakeTransport { _, _ in
            try await auth.saveAccessToken("new")
            return FakeTransport.Answer(status: 401)
        }
        let service = HTTPNetworkService(transport: transport, authService: auth, invalidationHandler: handler)
        let environment = DefaultAPIEnvironment(baseURL: URL(string: "https://api.example.com"))
        for expected in [0, 1] {
            await #expect(throws: NetworkError.httpStatusError(.unauthorized)) {
                try await service.requestVoid(to: endpoint("x", .get), via: environment)
            }
            #expect(await handler.count == expected)
        }
    }

    /// A refresh during the call replaces the token. A 401 for the new token counts.
    @Test func aRefusalAfterARefreshCounts() async throws {
        let auth = FieldAuth()
        try await auth.saveAccessToken("old")
        let handler = Invalidations()
        let inner = FakeTransport { _ in ("", 401) }
        let transport = ReauthTransport(inner: inner, authService: auth) { try await auth.saveAccessToken("new") }
        let service = HTTPNetworkService(transport: transport, authService: auth, invalidationHandler: handler)
        await #expect(throws: NetworkError.httpStatusError(.unauthorized)) {
            try await service.requestVoid(
                to: endpoint("x", .get),
                via: DefaultAPIEnvironment(baseURL: URL(string: "https://api.example.com")))
        }
        #expect(inner.requests.map { $0.value(forHTTPHeaderField: Self.field) } == ["old", "new"])
        #expect(await handler.count == 1)
    }
}
