import HoldfastTrust
import NIOCore
import NIOSSL

/// What a collector shows of itself over TLS: a certificate chain and its key. No description shows the key.
public struct ReportCollectorTLS: Sendable, CustomStringConvertible, CustomReflectable {
    /// TLS 1.2 or later, HTTP/1.1.
    let context: NIOSSLContext

    /// Takes a chain in PEM, the server's own certificate first, and its key in PEM, not encrypted.
    ///
    /// - Throws: ``ReportCollectorError/Code/unusableIdentity``. Reasons hold nothing of the key.
    public init(certificates: [UInt8], privateKey: [UInt8]) throws(ReportCollectorError) {
        let views: [CertificateView]
        do throws(CertificateError) {
            views = try CertificateLoading.certificates(in: certificates)
        } catch {
            throw ReportCollectorError(.unusableIdentity, error.reason)
        }
        do {
            let chain = try views.map { try NIOSSLCertificate(bytes: $0.der, format: .der) }
            let key = try NIOSSLPrivateKey(bytes: privateKey, format: .pem)
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
            configuration.minimumTLSVersion = .tlsv12
            configuration.applicationProtocols = ["http/1.1"]
            // A peer that does not read cannot answer the goodbye either.
            configuration.shutdownTimeout = .seconds(1)
            context = try NIOSSLContext(configuration: configuration)
        } catch {
            throw ReportCollectorError(
                .unusableIdentity,
                "The certificate or the key cannot be used, or they do not belong together: the key must be PEM, not encrypted.",
                underlying: error)
        }
    }

    /// Reads both from files. Blocks the calling thread.
    public init(certificateFile: String, privateKeyFile: String) throws(ReportCollectorError) {
        try self.init(
            certificates: try Self.read(certificateFile), privateKey: try Self.read(privateKeyFile))
    }

    private static func read(_ path: String) throws(ReportCollectorError) -> [UInt8] {
        do throws(CertificateError) {
            return try RegularFile.read(path, limit: CertificateLoading.sizeLimit)
        } catch {
            throw ReportCollectorError(.unusableIdentity, error.reason)
        }
    }

    public var description: String { "<TLS identity>" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
