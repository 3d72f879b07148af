import Foundation
import HoldfastNetworking
import HoldfastTransportTestSupport
import Testing

/// A transport over a session of the app's own.
@Suite struct URLSessionTransportTests {
    @Test func aSessionWithoutDelegateCarriesRequests() async throws {
        try await ScriptedServer.with { _ in
            [.respond("ok")]
        } _: { server in
            let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/x"))
            let transport = URLSessionTransport(session: URLSession(configuration: .ephemeral))
            let (data, response) = try await transport.data(for: URLRequest(url: url))
            #expect(data == Data("ok".utf8))
            #expect(response.statusCode == 200)
        }
    }

    #if canImport(FoundationNetworking)
    private final class Delegate: NSObject, URLSessionDelegate {}

    /// Its pinning would silently be off; so nothing is sent.
    @Test func aSessionWithADelegateThatNobodyAsksIsRefused() async throws {
        try await ScriptedServer.with { _ in
            [.respond("ok")]
        } _: { server in
            let session = URLSession(configuration: .ephemeral, delegate: Delegate(), delegateQueue: nil)
            let transport = URLSessionTransport(session: session)
            let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/x"))
            await #expect(throws: UnbridgedSessionError.self) { try await transport.data(for: URLRequest(url: url)) }
            #expect(server.connectionCount == 0)
        }
    }
    #endif
}
