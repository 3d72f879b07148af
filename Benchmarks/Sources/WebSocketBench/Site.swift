import HoldfastTestSupport
import HoldfastTrust
import NIOSSL

/// The certificates of the servers, as the servers and the clients need them: a P-256 chain of root, intermediate and
/// leaf.
struct Site: Sendable, Codable {
    static let host = "localhost"

    /// The DER bytes of the root, and the hash of the intermediate's key for a pin.
    var root: [UInt8]
    var intermediateKey: [UInt8]
    /// The leaf with its issuers (DER), and the leaf's private key (PEM).
    var chain: [[UInt8]]
    var privateKeyPEM: String

    init() throws {
        let factory = CertificateFactory(now: TrustClock.system.now())
        let root = try factory.authority("Benchmark Root")
        let intermediate = try factory.intermediate("Benchmark Intermediate", signedBy: root)
        let leaf = try factory.leaf([Self.host], ipAddresses: ["127.0.0.1"], signedBy: intermediate)
        self.root = root.certificateDER
        self.intermediateKey = intermediate.spkiDigest.bytes
        self.chain = leaf.chain
        self.privateKeyPEM = leaf.privateKeyPEM
    }

    func serverContext() throws -> NIOSSLContext {
        let chain = try chain.map {
            NIOSSLCertificateSource.certificate(try NIOSSLCertificate(bytes: $0, format: .der))
        }
        let key = try NIOSSLPrivateKey(bytes: Array(privateKeyPEM.utf8), format: .pem)
        return try NIOSSLContext(
            configuration: .makeServerConfiguration(certificateChain: chain, privateKey: .privateKey(key)))
    }

    /// Returns a context with NIOSSL's own verification against the root.
    func clientContext() throws -> NIOSSLContext {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.trustRoots = .certificates([try NIOSSLCertificate(bytes: root, format: .der)])
        return try NIOSSLContext(configuration: configuration)
    }

    static func url(_ port: Int, isSecure: Bool) -> String {
        "\(isSecure ? "wss" : "ws")://\(host):\(port)/"
    }
}
