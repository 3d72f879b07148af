import HoldfastSystem
public import HoldfastTestSupport
import NIOCore
import NIOSSL

/// What a ``LoopbackServer`` presents in the TLS handshake.
public struct LoopbackHandshake: Sendable {
    /// The TLS versions that a server offers.
    public enum Versions: String, Hashable, Sendable, CaseIterable {
        /// TLS 1.2 and TLS 1.3.
        case current
        /// TLS 1.0 and TLS 1.1, which clients must not negotiate (RFC 8996).
        case deprecated
    }

    /// The certificates that the server sends as DER, its own first.
    public var chain: [[UInt8]]
    /// The identity whose key the server proves.
    public var identity: Identity
    /// The offered versions of TLS.
    public var versions: Versions
    /// Whether the server closes the connection after its first flight, which contains its certificates. With TLS 1.3,
    /// that flight also ends the server's part of the handshake.
    public var closesAfterCertificates: Bool

    /// Creates a handshake.
    ///
    /// - Parameters:
    ///   - identity: The certificate and the key of the server.
    ///   - chain: The certificates to send; `nil` for those of the identity and its issuers without the root.
    ///   - versions: The offered versions of TLS.
    ///   - closesAfterCertificates: Whether the server closes the connection after its certificates.
    public init(
        _ identity: Identity, chain: [[UInt8]]? = nil, versions: Versions = .current,
        closesAfterCertificates: Bool = false
    ) {
        self.identity = identity
        self.chain = chain ?? identity.chain
        self.versions = versions
        self.closesAfterCertificates = closesAfterCertificates
    }

    /// Returns NIOSSL's context for this handshake. Throws NIOSSL's error for a certificate or key that it cannot read.
    func context() throws -> NIOSSLContext {
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: try chain.map { .certificate(try NIOSSLCertificate(bytes: $0, format: .der)) },
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(identity.privateKeyPEM.utf8), format: .pem)))
        switch versions {
        case .current: configuration.minimumTLSVersion = .tlsv12
        case .deprecated:
            configuration.minimumTLSVersion = .tlsv1
            configuration.maximumTLSVersion = .tlsv11
        }
        configuration.applicationProtocols = ["http/1.1"]
        configuration.shutdownTimeout = .milliseconds(200)
        return try NIOSSLContext(configuration: configuration)
    }
}

/// Closes the socket after the server's first flight. It is placed below the TLS handler.
final class FirstFlightCloser: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer

    func flush(context: ChannelHandlerContext) {
        context.flush()
        context.close(promise: nil)
    }
}

extension Channel {
    /// Closes the socket without a close_notify alert. Must be called on the event loop.
    ///
    /// - Parameter resets: Whether the kernel sends a reset, so that the peer can lose bytes that it has not read.
    func closeBelowTLS(resets: Bool) {
        if resets {
            _ = (self as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
        }
        if let tls = try? pipeline.syncOperations.context(handlerType: NIOSSLServerHandler.self) {
            tls.close(mode: .all, promise: nil)
        } else {
            close(mode: .all, promise: nil)
        }
    }
}
