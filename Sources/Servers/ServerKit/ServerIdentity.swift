import HoldfastTrust
import NIOCore
package import NIOSSL

/// A server's TLS identity: a certificate chain and the private key of its first certificate.
///
/// No error contains anything of the key. Names and validity are deliberately not checked, because the clients check
/// them.
package struct ServerIdentity<Failure: ServerError>: Sendable {
    /// DER certificates, the server's own first.
    package let chain: [[UInt8]]
    /// The private key in PEM.
    package let privateKey: [UInt8]
    /// A server context for TLS 1.2 or later.
    package let context: NIOSSLContext

    /// Creates an identity from DER certificates and an unencrypted PEM key.
    ///
    /// - Parameters:
    ///   - path: The file of the key, for the error.
    ///   - protocols: The protocols that the server accepts by ALPN (RFC 7301), in order of preference.
    /// - Throws: ``ServerFailure/Code/unusableIdentity``.
    package init(
        chain: [[UInt8]], privateKey: [UInt8], path: String? = nil, protocols: [String] = ["http/1.1"]
    ) throws(Failure) {
        guard !chain.isEmpty else {
            throw Failure(.unusableIdentity, "The chain contains no certificate.", path: path)
        }
        do {
            let certificates = try chain.map { try NIOSSLCertificate(bytes: $0, format: .der) }
            let key = try NIOSSLPrivateKey(bytes: privateKey, format: .pem)
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: certificates.map { .certificate($0) }, privateKey: .privateKey(key))
            configuration.minimumTLSVersion = .tlsv12
            configuration.applicationProtocols = protocols
            // A peer that does not read cannot answer the close_notify either.
            configuration.shutdownTimeout = .seconds(1)
            context = try NIOSSLContext(configuration: configuration)
        } catch {
            throw Failure(
                .unusableIdentity,
                "The certificate or the key cannot be used, or they do not belong together: the key must be PEM, "
                    + "not encrypted.", path: path, underlying: error)
        }
        self.chain = chain
        self.privateKey = privateKey
    }

    /// Creates an identity from PEM certificates, or one DER certificate, the server's own first, and an unencrypted
    /// PEM key.
    package init(certificates: [UInt8], privateKey: [UInt8]) throws(Failure) {
        let chain = try Self.reading { () throws(CertificateError) in
            try CertificateLoading.certificates(in: certificates).map(\.der)
        }
        try self.init(chain: chain, privateKey: privateKey)
    }

    /// Reads the chain and the key from files, in the same formats. Errors name the file. Blocks the calling thread.
    package init(certificateFile: String, privateKeyFile: String) throws(Failure) {
        let chain = try Self.reading(certificateFile) { () throws(CertificateError) in
            try CertificateLoading.certificates(atPath: certificateFile).map(\.der)
        }
        let key = try Self.reading(privateKeyFile) { () throws(CertificateError) in
            try CertificateLoading.bytes(atPath: privateKeyFile)
        }
        try self.init(chain: chain, privateKey: key, path: privateKeyFile)
    }

    private static func reading<Value>(
        _ path: String? = nil, _ body: () throws(CertificateError) -> Value
    ) throws(Failure) -> Value {
        do throws(CertificateError) {
            return try body()
        } catch {
            throw Failure(.unusableIdentity, error.reason, path: path, underlying: error)
        }
    }
}
