import Foundation
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import Synchronization
import Testing

@testable import HoldfastNetworking

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The service: it takes endpoints and returns models.
@Suite struct HTTPNetworkServiceTests {
    private struct Model: Codable, Equatable {
        var id: Int
    }

    private actor Invalidations: TokenInvalidationHandler {
        var count = 0
        func handleInvalidToken() { count += 1 }
    }

    private let environment = DefaultAPIEnvironment(baseURL: URL(string: "https://api.example.com/v1/"))

    @Test func modelsAreDecoded() async throws {
        let transport = FakeTransport {
            $0.url?.path.hasSuffix("s") == true ? ("[{\"id\":1}]", 200) : ("{\"id\":7}", 201)
        }
        let service = HTTPNetworkService(transport: transport)
        let one: Model = try await service.request(to: Endpoint(path: "/item", method: .get), via: environment)
        #expect(one == Model(id: 7))
        let many: [Model] = try await service.requestModels(to: Endpoint(path: "items", method: .get), via: environment)
        #expect(many == [Model(id: 1)])
        let none = try await service.requestVoid(to: Endpoint(path: "x", method: .delete), via: environment)
        #expect(none == .success(code: 201))
        #expect(
            transport.requests.map { $0.url?.absoluteString } == [
                "https://api.example.com/v1/item", "https://api.example.com/v1/items", "https://api.example.com/v1/x",
            ])
        #expect(transport.requests.map(\.httpMethod) == ["GET", "GET", "DELETE"])
    }

    @Test func queryAndBodyAreSent() async throws {
        let transport = FakeTransport { _ in ("{}", 200) }
        let service = HTTPNetworkService(transport: transport)
        let endpoint = Endpoint(
            path: "a b", method: .post, query: [URLQueryItem(name: "q", value: "1&2")],
            body: ["id": EndpointAnyEncodable(5), "name": EndpointAnyEncodable("x")])
        try await service.requestVoid(to: endpoint, via: environment)
        let sent = try #require(transport.requests.first)
        #expect(sent.url?.absoluteString == "https://api.example.com/v1/a%20b?q=1%262")
        #expect(sent.value(forHTTPHeaderField: "Content-Type") == "application/json")
        let body = try JSONSerialization.jsonObject(with: try #require(sent.httpBody)) as? [String: any Sendable]
        #expect(body?["id"] as? Int == 5)
        #expect(body?["name"] as? String == "x")
    }

    /// The token is sent only if the endpoint asks for it.
    @Test func theTokenIsSentOnlyIfRequested() async throws {
        let transport = FakeTransport { _ in ("", 200) }
        let auth = InMemoryAuthService()
        let service = HTTPNetworkService(transport: transport, authService: auth)
        let secret = Endpoint(path: "s", method: .get, requiresAuth: true)
        try await service.requestVoid(to: secret, via: environment)
        try await auth.saveAccessToken("t0ken")
        try await service.requestVoid(to: secret, via: environment)
        try await service.requestVoid(to: Endpoint(path: "p", method: .get), via: environment)
        try await auth.deleteAccessToken()
        try await service.requestVoid(to: secret, via: environment)
        #expect(
            transport.requests.map { $0.value(forHTTPHeaderField: "Authorization") } == [
                nil, "Bearer t0ken", nil, nil,
            ])
    }

    @Test func statusesAreErrors() async throws {
        for (status, error) in [
            (401, HTTPStatusError.unauthorized), (403, .forbidden), (404, .notFound), (429, .rateLimited),
            (500, .internalServerError), (503, .serviceUnavailable), (418, .clientError(418)), (502, .serverError(502)),
            (304, .redirect(304)),
        ] {
            let service = HTTPNetworkService(transport: FakeTransport { _ in ("{}", status) })
            await #expect(throws: NetworkError.httpStatusError(error)) {
                try await service.requestVoid(to: Endpoint(path: "x", method: .get), via: environment)
            }
            #expect(error.statusCode == status)
        }
        let odd = HTTPNetworkService(transport: FakeTransport { _ in ("{}", 999) })
        await #expect(throws: NetworkError.invalidStatusCode(999)) {
            try await odd.requestVoid(to: Endpoint(path: "x", method: .get), via: environment)
        }
        #expect(HTTPStatusError(statusCode: 204) == nil)
    }

    @Test func aRefusedTokenIsReported() async throws {
        let handler = Invalidations()
        let service = HTTPNetworkService(
            transport: FakeTransport { _ in ("", 401) }, authService: InMemoryAuthService(),
            invalidationHandler: handler)
        for requiresAuth in [true, false] {
            await #expect(throws: NetworkError.self) {
                try await service.requestVoid(
                    to: Endpoint(path: "x", method: .get, requiresAuth: requiresAuth), via: environment)
            }
        }
        #expect(await handler.count == 1)
    }

    /// An auth service that signs requests and does not load a token.
    private struct SigningAuth: AuthServiceProtocol {
        let keyChainStore: any KeyChainStoreProtocol = InMemoryKeyChainStore()

        func loadAccessToken() async throws -> String? { throw KeyChainStoreError.stringDecodingFailed }

        func authorize(_ request: URLRequest) async throws -> URLRequest {
            var request = request
            request.setValue("Signature s", forHTTPHeaderField: headerField)
            return request
        }
    }

    /// Only the 401 handler needs the stored token; a request does not.
    @Test func aSigningAuthServiceWorksWithAHandler() async throws {
        let handler = Invalidations()
        for (status, count) in [(200, 0), (401, 1)] {
            let transport = FakeTransport { _ in ("", status) }
            let service = HTTPNetworkService(
                transport: transport, authService: SigningAuth(), invalidationHandler: handler)
            let endpoint = Endpoint(path: "x", method: .get, requiresAuth: true)
            var failure: NetworkError?
            do {
                try await service.requestVoid(to: endpoint, via: environment)
            } catch let error as NetworkError {
                failure = error
            }
            #expect(failure == (status == 401 ? .httpStatusError(.unauthorized) : nil))
            #expect(transport.requests.map { $0.value(forHTTPHeaderField: "Authorization") } == ["Signature s"])
            #expect(await handler.count == count)
        }
    }

    @Test func anEnvironmentWithoutAURLIsAnError() async throws {
        let service = HTTPNetworkService(transport: FakeTransport { _ in ("", 200) })
        await #expect(throws: NetworkError.missingBaseURL) {
            try await service.requestVoid(to: Endpoint(path: "x", method: .get), via: DefaultAPIEnvironment())
        }
    }

    /// As documented by the modelled library. Holdfast itself calls the throwing variant.
    @Test func theDocumentedBaseURLTrapsIfMissing() async {
        let url = URL(string: "https://api.example.com")
        #expect(DefaultAPIEnvironment(baseURL: url).baseURL == url)
        #expect(throws: NetworkError.missingBaseURL) { try DefaultAPIEnvironment().configuredBaseURL }
        await #expect(processExitsWith: .failure) { _ = DefaultAPIEnvironment().baseURL }
    }

    /// Migrated code relies on the behavior of `URLSession`: every default follows redirects and decompresses.
    @Test func redirectsAreFollowedAndBodiesDecompressedByDefault() async throws {
        let coded = try Compressed.gzip(Array("{\"id\":3}".utf8))
        try await ScriptedServer.with { request in
            guard request.target == "/there" else { return [.respond(status: "302 F", fields: ["Location: /there"])] }
            #expect(request.field("Accept-Encoding") == "gzip, deflate")
            return [.text("HTTP/1.1 200 OK\nContent-Encoding: gzip\nContent-Length: \(coded.count)\n\n"), .send(coded)]
        } _: { server in
            let environment = DefaultAPIEnvironment(baseURL: URL(string: "http://127.0.0.1:\(server.port)"))
            for service in [
                HTTPNetworkService(), HTTPNetworkService(transport: PinningTransport(pinnedDomains: [:])),
                HTTPNetworkService(transport: RetryTransport()), HTTPNetworkService(transport: ETagTransport()),
            ] {
                let model: Model = try await service.request(
                    to: Endpoint(path: "x", method: .get), via: environment)
                #expect(model == Model(id: 3))
            }
        }
    }

    /// A body that decompresses to a thousand times its size.
    @Test func aDecompressionBombIsRefusedByDefault() async throws {
        let bomb = try Compressed.gzip(Array(repeating: 0, count: 2 << 20))
        try await ScriptedServer.with { _ in
            [.text("HTTP/1.1 200 OK\nContent-Encoding: gzip\nContent-Length: \(bomb.count)\n\n"), .send(bomb)]
        } _: { server in
            let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/"))
            let transports: [any HTTPTransportProtocol] = [
                HTTPClientTransport(), PinningTransport(pinnedDomains: [:]),
            ]
            for transport in transports {
                let error = await #expect(throws: TransportError.self) {
                    _ = try await transport.data(for: URLRequest(url: url))
                }
                #expect(error?.code == .decompressedTooLarge)
            }
        }
    }

    /// By default the service uses Holdfast's own transport, which never sends to an unverified server.
    @Test func theDefaultTransportVerifiesServers() async throws {
        try await ScriptedServer.with { _ in
            [.respond("{\"id\":3}")]
        } _: { server in
            let environment = DefaultAPIEnvironment(baseURL: URL(string: "http://127.0.0.1:\(server.port)"))
            let model: Model = try await HTTPNetworkService().request(
                to: Endpoint(path: "x", method: .get), via: environment)
            #expect(model == Model(id: 3))
        }
        let cleartext = DefaultAPIEnvironment(baseURL: URL(string: "http://api.example.com"))
        do {
            try await HTTPNetworkService().requestVoid(to: Endpoint(path: "x", method: .get), via: cleartext)
            Issue.record("accepted")
        } catch let error as TransportError {
            #expect(error.code == .cleartextRefused)
        }
    }
}
