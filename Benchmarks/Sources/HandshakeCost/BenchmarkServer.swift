import HoldfastTestSupport
import NIOCore
import NIOPosix
import NIOSSL

/// A TLS server that does nothing but shake hands.
enum BenchmarkServer {
    /// Each connection is shown the next of `identities`, so that no client profits from having seen the last one.
    static func start(_ identities: [Identity], on group: any EventLoopGroup) async throws -> any Channel {
        let contexts = try identities.map(context)
        let next = Turns()
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
