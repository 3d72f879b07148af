import HoldfastTestSupport
import HoldfastTrust

/// The server under test as clients have to know it: where it is, and whom to trust.
struct Site: Sendable, Codable {
    /// What a site was read from is none.
    struct Malformed: Error {}

    static let host = "localhost"

    /// The root's certificate, DER.
    var root: [UInt8]
    /// The SHA-256 of the intermediate's public key info, which Holdfast pins.
    var intermediateKey: [UInt8]
    /// The SHA-256 of the leaf's public key info, which is all that curl can pin.
    var leafKey: [UInt8]
    /// The ports of the servers.
    var plainPort: Int
    var securePort: Int
    var http2Port: Int

    func port(_ scenario: Scenario) -> Int {
        switch scenario.version {
        case .http1: scenario.isSecure ? securePort : plainPort
        case .http2: http2Port
        }
    }

    func origin(_ scenario: Scenario) -> String {
        "\(scenario.isSecure ? "https" : "http")://\(Self.host):\(port(scenario))"
    }

    func url(_ scenario: Scenario) -> String {
        origin(scenario) + scenario.body.path
    }
}
