public import HoldfastTestSupport
import NIOCore
package import NIOSSL

/// How a test server does TLS, weak ways included.
public struct ServerTLS: Sendable {
    /// A version of TLS, by its number on the wire.
    public enum Version: UInt16, Hashable, Sendable, CaseIterable {
        case tls10 = 0x0301
        case tls11 = 0x0302
        case tls12 = 0x0303
        case tls13 = 0x0304
    }

    /// The chain that the server sends, its own certificate first.
    public var chain: [[UInt8]]
    /// The private key that it proves to have.
    public var privateKeyPEM: String
    /// The oldest version that it speaks.
    public var minimumVersion = Version.tls10
    /// The newest version that it speaks.
    public var maximumVersion = Version.tls13
    /// The cipher suites of TLS 1.2 and older that it takes, by number; `nil`: the library's own list.
    public var cipherSuites: [UInt16]?
    /// What it agrees to by ALPN.
    public var applicationProtocols: [String] = []

    /// Asked about the certificates of a client, which has to show some then; `nil`: none are asked for.
    public var judgesClient: (@Sendable ([[UInt8]]) -> Bool)?

    /// A server with this certificate and its issuers.
    public init(_ identity: Identity) {
        self.chain = identity.chain
        self.privateKeyPEM = identity.privateKeyPEM
    }

    /// A server that sends `chain` and has the key of `identity`.
    public init(chain: [[UInt8]], keyOf identity: Identity) {
        self.chain = chain
        self.privateKeyPEM = identity.privateKeyPEM
    }

    /// The handler of one connection.
    package func handler(_ context: NIOSSLContext) -> NIOSSLServerHandler {
        guard let judgesClient else { return NIOSSLServerHandler(context: context) }
        return NIOSSLServerHandler(
            context: context,
            customVerificationCallback: { chain, promise in
                let isAccepted = judgesClient(chain.map { (try? $0.toDERBytes()) ?? [] })
                promise.succeed(isAccepted ? .certificateVerified : .failed)
            })
    }

    /// The library's context for this server.
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

/// Stands below the TLS handler of a server and closes the socket right behind its first flight.
final class FirstFlightCloser: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer

    func flush(context: ChannelHandlerContext) {
        context.flush()
        context.close(promise: nil)
    }
}
