import Foundation
import HTTPTypes
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import Testing

@testable import HoldfastNetworking

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Requests of Foundation's type: every property is honoured or refused.
@Suite struct URLRequestTests {
    private let transport = HTTPClientTransport(
        configuration: TransportConfiguration(trust: .system(anchors: .only([]))), maximumResponseBytes: 10)

    private func request(_ server: ScriptedServer) throws -> URLRequest {
        URLRequest(url: try #require(URL(string: "http://127.0.0.1:\(server.port)/a?b=c#d")))
    }

    @Test func thePropertiesAreSent() async throws {
        try await ScriptedServer.with { _ in
            [.respond("ok")]
        } _: { [self] server in
            var request = try request(server)
            request.httpMethod = "PATCH"
            request.setValue("v", forHTTPHeaderField: "X-Name")
            request.httpBody = Data("body".utf8)
            let (data, response) = try await transport.data(for: request)
            #expect(data == Data("ok".utf8))
            #expect(response.statusCode == 200)
            let sent = try #require(server.requests.first)
            #expect(sent.method == "PATCH")
            #expect(sent.target == "/a?b=c")
            #expect(sent.field("X-Name") == "v")
            #expect(sent.body == Array("body".utf8))
        }
    }

    @Test func errorStatusesAreResponses() async throws {
        try await ScriptedServer.with { _ in
            [.respond("no", status: "503 Service Unavailable")]
        } _: { [self] server in
            let (_, response) = try await transport.data(for: request(server))
            #expect(response.statusCode == 503)
        }
    }

    @Test func aBodyBeyondTheLimitIsRefused() async throws {
        try await ScriptedServer.with { _ in
            [.respond("01234567890")]
        } _: { [self] server in
            do {
                _ = try await transport.data(for: request(server))
                Issue.record("accepted")
            } catch let error as TransportError {
                #expect(error.code == .responseTooLarge)
            }
        }
    }

    /// Redirects are followed by default, and the app can disable that.
    @Test func redirectsAreFollowedUnlessDisabled() async throws {
        try await ScriptedServer.with { request in
            request.target == "/next"
                ? [.respond("here")] : [.respond("", status: "302 Found", fields: ["Location: /next"])]
        } _: { [self] server in
            let (data, response) = try await transport.data(for: request(server))
            #expect(response.statusCode == 200 && data == Data("here".utf8))
            #expect(server.requests.count == 2)
            let delivering = HTTPClientTransport(
                configuration: TransportConfiguration(trust: .system(anchors: .only([]))), redirects: .deliver)
            let (_, redirect) = try await delivering.data(for: request(server))
            #expect(redirect.statusCode == 302)
            #expect(server.requests.count == 3)
        }
    }

    @Test func unsupportedPropertiesAreRefused() async throws {
        let url = try #require(URL(string: "https://127.0.0.1/"))
        let changes: [(String, (inout URLRequest) -> Void)] = [
            ("httpBodyStream", { $0.httpBodyStream = InputStream(data: Data()) }),
            ("networkServiceType", { $0.networkServiceType = .background }),
            ("allowsCellularAccess", { $0.allowsCellularAccess = false }),
            ("cachePolicy", { $0.cachePolicy = .returnCacheDataDontLoad }),
            ("mainDocumentURL", { $0.mainDocumentURL = URL(string: "https://example.com") }),
        ]
        for (property, change) in changes {
            var request = URLRequest(url: url)
            change(&request)
            await #expect(throws: UnsupportedRequestError(property: property)) {
                _ = try await transport.data(for: request)
            }
        }
    }

    @Test(arguments: ["ftp://127.0.0.1/", "https:///x", "https://user:pass@127.0.0.1/", "file:///etc/passwd"])
    func invalidURLsAreRefused(text: String) async throws {
        let url = try #require(URL(string: text))
        do {
            _ = try await transport.data(for: URLRequest(url: url))
            Issue.record("accepted")
        } catch let error as TransportError {
            #expect(error.code == .invalidURL)
        }
    }

    /// `timeoutInterval` is the idle timeout, and no number traps.
    @Test(arguments: [Double.infinity, 1e300, 60])
    func everyTimeoutIsValid(seconds: Double) async throws {
        try await ScriptedServer.with { _ in
            [.respond("ok")]
        } _: { [self] server in
            var request = try request(server)
            request.timeoutInterval = seconds
            let (data, _) = try await transport.data(for: request)
            #expect(data.count == 2)
        }
    }
}
