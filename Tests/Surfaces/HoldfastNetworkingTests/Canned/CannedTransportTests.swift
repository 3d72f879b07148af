import Foundation
import HoldfastNetworking
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Transports that return prepared responses.
@Suite struct CannedTransportTests {
    private func request(_ path: String = "/things", method: String = "GET") throws -> URLRequest {
        var request = URLRequest(url: try #require(URL(string: "https://api.example.com" + path)))
        request.httpMethod = method
        return request
    }

    @Test func everyRequestGetsTheSameResponse() async throws {
        let transport = CannedResponseTransport(string: "hé", statusCode: 201, headerFields: ["X-A": "1"])
        let (data, response) = try await transport.data(for: self.request())
        #expect(data == Data("hé".utf8))
        #expect(response.statusCode == 201)
        #expect(response.value(forHTTPHeaderField: "x-a") == "1")
        #expect(transport.cannedResponse.httpVersion == "HTTP/1.1")
        var nowhere = try self.request()
        nowhere.url = nil
        let request = nowhere
        await #expect(throws: CannedResponseTransport.Error.missingRequestURL) {
            try await transport.data(for: request)
        }
    }

    @Test func encodings() async throws {
        let latin = CannedResponse(string: "é", encoding: .isoLatin1)
        #expect(latin.data == Data([0xE9]))
        let url = try #require(URL(string: "https://api.example.com/"))
        #expect(throws: CannedResponse.Error.failedToEncodeString) {
            try CannedResponse(string: "é", encoding: .ascii).makeResponse(url: url)
        }
        for status in [-1, 0, 99, 1_000, .max] {
            #expect(throws: CannedResponse.Error.failedToCreateHTTPURLResponse) {
                try CannedResponse(data: Data(), statusCode: status).makeResponse(url: url)
            }
        }
    }

    private let routes = [
        CannedRoute(
            pattern: RequestPattern(method: .get, path: "/things"), response: CannedResponse(string: "all things")),
        CannedRoute(
            pattern: RequestPattern(pathRegex: "^/things/[0-9]+$"), response: CannedResponse(string: "one thing")),
        CannedRoute(pattern: RequestPattern(pathRegex: "things"), response: CannedResponse(string: "whatever")),
    ]

    @Test func theFirstRouteThatMatchesAnswers() async throws {
        let transport = CannedRoutesTransport(routes: routes)
        for (path, method, text) in [
            ("/things", "GET", "all things"), ("/things/7", "GET", "one thing"), ("/things", "POST", "whatever"),
        ] {
            #expect(try await transport.data(for: request(path, method: method)).0 == Data(text.utf8))
        }
        await #expect(throws: CannedRoutesTransport.Error.noMatch) { try await transport.data(for: request("/other")) }
    }

    @Test func aUniqueMatchCanBeRequired() async throws {
        let transport = CannedRoutesTransport(routes: routes, mode: .requireUniqueMatch)
        await #expect(throws: CannedRoutesTransport.Error.ambiguousMatch(count: 2)) {
            try await transport.data(for: request("/things/7"))
        }
        #expect(try await transport.data(for: request("/things/x")).0 == Data("whatever".utf8))
        await #expect(throws: CannedRoutesTransport.Error.noMatch) { try await transport.data(for: request("/other")) }
    }

    /// An invalid pattern is reported as such, and not as a missing route.
    @Test func anInvalidPatternIsAnError() async throws {
        let pattern = RequestPattern(pathRegex: "(")
        let error = RequestPatternError(part: .path, expression: "(")
        await #expect(throws: error) {
            try await CannedRoutesTransport(routes: [
                CannedRoute(pattern: pattern, response: CannedResponse(string: ""))
            ])
            .data(for: request())
        }
        await #expect(throws: error) {
            try await MatchingTransport(pattern: pattern, transport: CannedResponseTransport(string: ""))
                .data(for: request())
        }
    }

    @Test func aMatchingTransportPassesOnMatchingRequests() async throws {
        let transport = MatchingTransport(
            pattern: RequestPattern(method: .get, host: "api.example.com", path: "/things"),
            transport: CannedResponseTransport(string: "ok"))
        #expect(try await transport.data(for: request()).0 == Data("ok".utf8))
        await #expect(throws: MatchingTransport.MatchingTransportError.notMatched) {
            try await transport.data(for: request(method: "DELETE"))
        }
    }

    private struct Thing: Codable, Equatable {
        var id: Int
    }

    @Test func aMockServiceAnswersEveryCall() async throws {
        let endpoint = Endpoint(path: "things", method: .get)
        let nowhere = DefaultAPIEnvironment()
        let one: Thing = try await MockNetworkService(responseJSON: #"{"id":1}"#).request(to: endpoint, via: nowhere)
        #expect(one == Thing(id: 1))
        let many: [Thing] = try await MockNetworkService(data: Data(#"[{"id":1},{"id":2}]"#.utf8))
            .requestModels(to: endpoint, via: nowhere)
        #expect(many.map(\.id) == [1, 2])
        #expect(try await MockNetworkService().requestVoid(to: endpoint, via: nowhere) == .success(code: 200))
        await #expect(throws: DecodingError.self) {
            let _: Thing = try await MockNetworkService().request(to: endpoint, via: nowhere)
        }
    }

    @Test func aMockServiceWaitsForItsDelay() async throws {
        let clock = InstantClock()
        let service = MockNetworkService(responseJSON: "[]", duration: .seconds(3), clock: clock)
        let _: [Thing] = try await service.requestModels(
            to: Endpoint(path: "x", method: .get), via: DefaultAPIEnvironment())
        #expect(clock.waits == [.seconds(3)])
        let cancelling = InstantClock { withUnsafeCurrentTask { $0?.cancel() } }
        let slow = MockNetworkService(duration: .seconds(3), clock: cancelling)
        let task = Task {
            try await slow.requestVoid(to: Endpoint(path: "x", method: .get), via: DefaultAPIEnvironment())
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
