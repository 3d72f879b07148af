import Foundation
import HoldfastTestKit
import HoldfastTransport
import HoldfastTrust

/// The address, the root and the pins of the server, as the counted processes need them.
struct ServerAddress: Codable {
    /// An error for invalid bytes of a pin.
    struct Malformed: Error {}

    static let host = "localhost"

    var port: Int
    private var root: [UInt8]
    private var pins: [[UInt8]]

    init(_ server: LoopbackServer, _ site: PinnedSite) {
        port = Int(server.port)
        root = site.authority.certificateDER
        pins = site.pins.map(\.bytes)
    }

    init(text: String) throws {
        self = try JSONDecoder().decode(Self.self, from: Data(text.utf8))
    }

    func text() throws -> String {
        String(decoding: try JSONEncoder().encode(self), as: UTF8.self)
    }

    /// Returns the trust of an app that pins the server's key and a backup key.
    func trust() throws -> TrustContext {
        let pins = try self.pins.map { bytes in
            guard let digest = SPKIDigest(bytes: bytes) else { throw Malformed() }
            return Pin(digest)
        }
        let rule = PinningRule(host: try CanonicalHost(Self.host), pins: PinSet(pins))
        return .policy(
            try PinningPolicy(name: "budgets", rules: [rule]), anchors: .only([try CertificateView(der: root)]))
    }

    /// Returns the configuration of the clients.
    func configuration() throws -> TransportConfiguration {
        TransportConfiguration(trust: try trust(), hostOverrides: [Self.host: "127.0.0.1"])
    }
}
