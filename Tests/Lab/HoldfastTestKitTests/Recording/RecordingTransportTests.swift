import Foundation
import HoldfastNetworking
import HoldfastTestKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Recording transport", .timeLimit(.minutes(1))) struct RecordingTransportTests {
    private func request(_ path: String) throws -> URLRequest {
        var request = URLRequest(url: try #require(URL(string: "https://api.example.com\(path)")))
        request.setValue("Bearer secret", forHTTPHeaderField: "Authorization")
        return request
    }

    @Test func requestsAndResponsesAreRecorded() async throws {
        let transport = RecordingTransport(CannedResponseTransport(string: "hello", statusCode: 201))
        async let waited = transport.nextExchange()
        let (data, response) = try await transport.data(for: request("/a"))
        #expect(String(decoding: data, as: UTF8.self) == "hello")
        #expect(response.statusCode == 201)
        let exchange = try await waited
        #expect(exchange.request.url?.path() == "/a")
        #expect(exchange.request.value(forHTTPHeaderField: "Authorization") == "Bearer secret")
        #expect(exchange.status == 201)
        #expect(exchange.body == data)
        #expect(exchange.error == nil)
        _ = try await transport.data(for: request("/b"))
        #expect(try await transport.firstExchanges(2).map { $0.request.url?.path() } == ["/a", "/b"])
        #expect(transport.exchanges.count == 2)
    }

    @Test func errorsAreRecordedAndThrown() async throws {
        let transport = RecordingTransport(CannedRoutesTransport(routes: []))
        let request = try request("/")
        await #expect(throws: CannedRoutesTransport.Error.noMatch) { try await transport.data(for: request) }
        let exchange = try await transport.nextExchange()
        #expect(exchange.error as? CannedRoutesTransport.Error == .noMatch)
        #expect(exchange.status == nil)
        #expect(exchange.body.isEmpty)
    }
}
