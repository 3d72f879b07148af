import HoldfastTestSupport
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust

extension PeerFolder {
    /// Runs `body` with a folder for the host of these tests, which is removed afterwards.
    static func with<R: Sendable>(_ body: @Sendable (PeerFolder) async throws -> R) async throws -> R {
        try await with(host: PinnedWorld.host, body)
    }

    /// A client that pins this key; the server's own by default.
    func configuration(pin identity: Identity? = nil) throws -> TransportConfiguration {
        TransportConfiguration(
            trust: .policy(try policy(pin: identity), anchors: .only([root.view])), hostOverrides: [host: "127.0.0.1"])
    }
}
