import HoldfastTestSupport
import HoldfastTrust
import NIOSSL

/// The servers' certificates: P-256 chains of one root, one intermediate and several leaves.
///
/// With several leaves, a server can present a different one on each connection.
struct ServerCertificates {
    let root: Identity
    let intermediate: Identity
    let leaves: [Identity]

    init(leaves count: Int) throws {
        let factory = CertificateFactory(now: TrustClock.system.now())
        let root = try factory.authority("Benchmark Root")
        let intermediate = try factory.intermediate("Benchmark Intermediate", signedBy: root)
        self.root = root
        self.intermediate = intermediate
        self.leaves = try (0..<count).map { _ in
            try factory.leaf([Site.host], ipAddresses: ["127.0.0.1"], signedBy: intermediate)
        }
    }

    func contexts(_ protocols: [String]) throws -> [NIOSSLContext] {
        try leaves.map { leaf in
            let chain = try leaf.chain.map {
                NIOSSLCertificateSource.certificate(try NIOSSLCertificate(bytes: $0, format: .der))
            }
            let key = try NIOSSLPrivateKey(bytes: Array(leaf.privateKeyPEM.utf8), format: .pem)
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: chain, privateKey: .privateKey(key))
            configuration.applicationProtocols = protocols
            return try NIOSSLContext(configuration: configuration)
        }
    }
}
