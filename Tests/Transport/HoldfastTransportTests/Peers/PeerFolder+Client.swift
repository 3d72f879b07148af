import HoldfastTestSupport
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust

extension PeerFolder {
    /// Runs `body` with a temporary folder for the host of these tests.
    static func with<R: Sendable>(_ body: @Sendable (PeerFolder) async throws -> R) async throws -> R {
        try await with(host: PinnedWorld.host, body)
    }

    /// Returns a client that pins this key. The default is the server's key.
    func configuration(pin identity: Identity? = nil) throws -> TransportConfiguration {
        TransportConfiguration(
            trust: .policy(try policy(pin: identity), anchors: .only([root.view])), hostOverrides: [host: "127.0.0.1"])
    }
}
