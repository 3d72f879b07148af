import HoldfastTestSupport
import NIOCore
import NIOPosix
import NIOSSL

/// A TLS server that only performs handshakes.
enum BenchmarkServer {
    /// Starts a server. Each connection uses the next of `identities`, so that no client can reuse the last
    /// verification.
    static func start(_ identities: [Identity], on group: any EventLoopGroup) async throws -> any Channel {
        let contexts = try identities.map(context)
        let next = Counter()
        return try await ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 256)
            .childChannelInitializer { channel in
                let turn = next.next()
                let context = contexts[turn % contexts.count]
                return channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
    }

    private static func context(_ identity: Identity) throws -> NIOSSLContext {
        let chain = try identity.chain.map {
            NIOSSLCertificateSource.certificate(try NIOSSLCertificate(bytes: $0, format: .der))
        }
        let key = try NIOSSLPrivateKey(bytes: Array(identity.privateKeyPEM.utf8), format: .pem)
        return try NIOSSLContext(
            configuration: .makeServerConfiguration(certificateChain: chain, privateKey: .privateKey(key)))
    }
}
