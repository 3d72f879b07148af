import Foundation
import HTTPTypes
import HoldfastNetworking
import HoldfastTestKit
import HoldfastTransport
import HoldfastTrust
import HoldfastWebSocket

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Clients that the tests of the kit examine.
enum Clients {
    /// Holdfast's HTTP client with a trust context. The clock is that of the machine unless a test needs another one.
    static func http(
        _ trust: TrustContext, clock: TrustClock = .system
    ) -> @Sendable (URL) async throws -> String {
        let client = HTTPClient(configuration: TransportConfiguration(trust: trust, clock: clock))
        return { url in
            let request = HTTPRequest(
                method: .get, scheme: url.scheme, authority: "\(url.host() ?? ""):\(url.port ?? 0)", path: "/")
            return try await client.collect(request, upTo: 1 << 20).text
        }
    }

    /// Holdfast's WebSocket client with a trust context. Sends a message and returns the first one that it receives.
    static func webSocket(_ trust: TrustContext) -> @Sendable (URL) async throws -> WebSocketMessage? {
        let client = WebSocketClient(configuration: TransportConfiguration(trust: trust))
        return { url in
            let connection = try await client.connect(url.absoluteString)
            try await connection.send(.text("hello"))
            let answer = try await connection.messages.first { _ in true }
            await connection.close()
            return answer
        }
    }
}

extension CollectedResponse {
    /// The body as text.
    var text: String { String(decoding: body, as: UTF8.self) }
}

/// An error that a test's client throws.
struct ClientError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
