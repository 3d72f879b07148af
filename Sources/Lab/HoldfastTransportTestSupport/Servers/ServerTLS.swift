public import HoldfastTestSupport
import NIOCore
package import NIOSSL

/// The TLS configuration of a test server, including weak configurations.
public struct ServerTLS: Sendable {
    /// A TLS version, by its number in the protocol.
    public enum Version: UInt16, Hashable, Sendable, CaseIterable {
        case tls10 = 0x0301
        case tls11 = 0x0302
        case tls12 = 0x0303
        case tls13 = 0x0304
    }

    /// The certificates that the server sends, its own first.
    public var chain: [[UInt8]]
    /// The server's private key.
    public var privateKeyPEM: String
    /// The oldest supported version.
    public var minimumVersion = Version.tls10
    /// The newest supported version.
    public var maximumVersion = Version.tls13
    /// The accepted cipher suites of TLS 1.2 and older, by number; `nil` for the library's default.
    public var cipherSuites: [UInt16]?
    /// The protocols that the server accepts by ALPN.
    public var applicationProtocols: [String] = []

    /// Returns whether the client's certificates are accepted. If set, clients must present certificates; `nil`: none
    /// are requested.
    public var judgesClient: (@Sendable ([[UInt8]]) -> Bool)?

    /// Creates a configuration with this certificate and its issuers.
    public init(_ identity: Identity) {
        self.chain = identity.chain
        self.privateKeyPEM = identity.privateKeyPEM
    }

    /// Creates a configuration that sends `chain` and uses the key of `identity`.
    public init(chain: [[UInt8]], keyOf identity: Identity) {
        self.chain = chain
        self.privateKeyPEM = identity.privateKeyPEM
    }

    /// Returns the TLS handler for one connection.
    package func handler(_ context: NIOSSLContext) -> NIOSSLServerHandler {
        guard let judgesClient else { return NIOSSLServerHandler(context: context) }
        return NIOSSLServerHandler(
            context: context,
            customVerificationCallback: { chain, promise in
                let isAccepted = judgesClient(chain.map { (try? $0.toDERBytes()) ?? [] })
                promise.succeed(isAccepted ? .certificateVerified : .failed)
            })
    }

    /// Returns NIOSSL's context for this server.
    package func context() throws -> NIOSSLContext {
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: try chain.map { .certificate(try NIOSSLCertificate(bytes: $0, format: .der)) },
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(privateKeyPEM.utf8), format: .pem)))
        configuration.minimumTLSVersion = minimumVersion.library
        configuration.maximumTLSVersion = maximumVersion.library
        if let cipherSuites {
            configuration.cipherSuiteValues = cipherSuites.map { NIOTLSCipher(rawValue: $0) }
        }
        configuration.applicationProtocols = applicationProtocols
        if judgesClient != nil { configuration.certificateVerification = .noHostnameVerification }
        configuration.shutdownTimeout = .milliseconds(200)
        return try NIOSSLContext(configuration: configuration)
    }
}

extension ServerTLS.Version {
    fileprivate var library: TLSVersion {
        switch self {
        case .tls10: .tlsv1
        case .tls11: .tlsv11
        case .tls12: .tlsv12
        case .tls13: .tlsv13
        }
    }
}

/// A handler below a server's TLS handler. It closes the socket after the server's first flight.
final class FirstFlightCloser: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer

    func flush(context: ChannelHandlerContext) {
        context.flush()
        context.close(promise: nil)
    }
}
