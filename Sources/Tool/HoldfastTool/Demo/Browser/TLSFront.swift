import ChatDevServer
import NIOCore
import NIOPosix
import NIOSSL

/// Terminates TLS on loopback in front of a server without TLS, as a reverse proxy does. The chat's clients connect to
/// it with their pins, while a browser reaches the server's own port without a warning about the demo's certificates.
struct TLSFront: Sendable {
    private typealias Stream = NIOAsyncChannel<ByteBuffer, ByteBuffer>

    /// Runs a front with an identity for the server on a port of this machine. Passes the front's own port to `body`,
    /// and ends when `body` returns.
    static func with<Value: Sendable>(
        presenting identity: TLSIdentity, to port: Int, _ body: (Int) async throws -> Value
    ) async throws -> Value {
        let context = try context(identity)
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0) { child in
                child.eventLoop.makeCompletedFuture {
                    try child.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
                    return try Stream(wrappingChannelSynchronously: child)
                }
            }
        let own = channel.channel.localAddress?.port ?? 0
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await accept(channel, port) }
            defer { group.cancelAll() }
            return try await body(own)
        }
    }

    private static func context(_ identity: TLSIdentity) throws -> NIOSSLContext {
        let chain = try identity.chain.map {
            NIOSSLCertificateSource.certificate(try NIOSSLCertificate(bytes: $0, format: .der))
        }
        let key = try NIOSSLPrivateKey(bytes: Array(identity.privateKeyPEM.utf8), format: .pem)
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain, privateKey: .privateKey(key))
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["http/1.1"]
        return try NIOSSLContext(configuration: configuration)
    }

    private static func accept(_ server: NIOAsyncChannel<Stream, Never>, _ port: Int) async throws {
        try await server.executeThenClose { clients in
            try await withThrowingDiscardingTaskGroup { group in
                for try await client in clients {
                    // A connection that fails must not end the others.
                    group.addTask { try? await forward(client, to: port) }
                }
            }
        }
    }

    /// Passes bytes in both directions until either side ends.
    private static func forward(_ client: Stream, to port: Int) async throws {
        try await client.executeThenClose { fromClient, toClient in
            let server = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connect(host: "127.0.0.1", port: port) { channel in
                    channel.eventLoop.makeCompletedFuture { try Stream(wrappingChannelSynchronously: channel) }
                }
            try await server.executeThenClose { fromServer, toServer in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { for try await bytes in fromClient { try await toServer.write(bytes) } }
                    group.addTask { for try await bytes in fromServer { try await toClient.write(bytes) } }
                    defer { group.cancelAll() }
                    try await group.next()
                }
            }
        }
    }
}
