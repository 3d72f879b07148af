import NIOCore
import NIOSSL

extension TLSIdentity {
    /// A server context that presents this identity over TLS 1.2 or later.
    func makeContext() throws(ChatDevServerError) -> NIOSSLContext {
        guard !chain.isEmpty else {
            throw ChatDevServerError(.unusableIdentity, reason: "The chain has no certificate.")
        }
        do {
            let certificates = try chain.map { try NIOSSLCertificate(bytes: $0, format: .der) }
            let key = try NIOSSLPrivateKey(bytes: Array(privateKeyPEM.utf8), format: .pem)
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: certificates.map { .certificate($0) }, privateKey: .privateKey(key))
            configuration.minimumTLSVersion = .tlsv12
            configuration.applicationProtocols = ["http/1.1"]
            // A peer that does not read cannot answer the goodbye either.
            configuration.shutdownTimeout = .seconds(1)
            return try NIOSSLContext(configuration: configuration)
        } catch {
            throw ChatDevServerError(
                .unusableIdentity,
                reason:
                    "The TLS identity cannot be used: a certificate or the key is unreadable, or they do not belong together.",
                underlying: error)
        }
    }
}
