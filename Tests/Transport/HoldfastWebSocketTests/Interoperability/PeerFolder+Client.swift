import HoldfastTestSupport
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import HoldfastWebSocket

extension PeerFolder {
    /// Runs `body` with a temporary folder for the host of these tests.
    static func with<R: Sendable>(_ body: @Sendable (PeerFolder) async throws -> R) async throws -> R {
        try await with(host: "peer.example.com", body)
    }

    /// Returns a client that pins a key, by default the server's own.
    func client(pin identity: Identity? = nil) throws -> WebSocketClient {
        WebSocketClient(
            configuration: TransportConfiguration(
                trust: .policy(try policy(pin: identity), anchors: .only([root.view])),
                hostOverrides: [host: "127.0.0.1"]))
    }

    func url(_ path: String, port: UInt16) -> String { "wss://\(host):\(port)\(path)" }
}
