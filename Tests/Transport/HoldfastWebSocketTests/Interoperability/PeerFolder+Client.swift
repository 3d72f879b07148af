import HoldfastTestSupport
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import HoldfastWebSocket

extension PeerFolder {
    /// Runs `body` with a folder for the host of these tests, which is removed afterwards.
    static func with<R: Sendable>(_ body: @Sendable (PeerFolder) async throws -> R) async throws -> R {
        try await with(host: "peer.example.com", body)
    }

    /// A client that pins a key, the server's own unless told otherwise.
    func client(pin identity: Identity? = nil) throws -> WebSocketClient {
        WebSocketClient(
            configuration: TransportConfiguration(
                trust: .policy(try policy(pin: identity), anchors: .only([root.view])),
                hostOverrides: [host: "127.0.0.1"]))
    }

    func url(_ path: String, port: UInt16) -> String { "wss://\(host):\(port)\(path)" }
}
