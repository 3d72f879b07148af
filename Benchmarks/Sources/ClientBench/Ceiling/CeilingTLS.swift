import NIOCore
import NIOSSL

/// TLS with NIOSSL's own verification.
struct CeilingTLS: Sendable {
    private let context: NIOSSLContext

    init(_ site: Site, _ version: Scenario.Version) throws {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.trustRoots = .certificates([try NIOSSLCertificate(bytes: site.root, format: .der)])
        configuration.applicationProtocols = version == .http1 ? ["http/1.1"] : ["h2"]
        self.context = try NIOSSLContext(configuration: configuration)
    }

    func handler() throws -> NIOSSLClientHandler {
        try NIOSSLClientHandler(context: context, serverHostname: Site.host)
    }
}
