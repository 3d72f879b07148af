import HoldfastTestSupport
import HoldfastTrust

/// The addresses and the certificates of the servers, as clients need them.
struct Site: Sendable, Codable {
    /// An error for invalid JSON of a site.
    struct Malformed: Error {}

    static let host = "localhost"

    /// The root certificate, DER.
    var root: [UInt8]
    /// The SHA-256 hash of the intermediate's SubjectPublicKeyInfo, which Holdfast pins.
    var intermediateKey: [UInt8]
    /// The SHA-256 hash of the leaf's SubjectPublicKeyInfo. curl can only pin the leaf.
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
