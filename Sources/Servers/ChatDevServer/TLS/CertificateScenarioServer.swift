public import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Synchronization

/// A small TLS server that presents one identity, valid or not, and answers every request with `200`.
///
/// Use it next to a ``ChatDevServer`` to demonstrate an attack without affecting the server's conversations.
public struct CertificateScenarioServer: Sendable {
    /// The port on 127.0.0.1 that it listens on.
    public let port: Int

    private let channel: any Channel
    private let connections: OpenChannels

    /// Starts a server on a free port, passes it to `body`, and stops it when `body` returns.
    ///
    /// Throws ``ChatDevServerError`` if the identity is unusable or no port is available.
    public static func with<Result>(
        presenting identity: TLSIdentity, logger: Logger? = nil,
        _ body: (CertificateScenarioServer) async throws -> Result
    ) async throws -> Result {
        let server = try await CertificateScenarioServer(presenting: identity, logger: logger)
        do {
            let result = try await body(server)
            await server.stop()
            return result
        } catch {
            await server.stop()
            throw error
        }
    }

    private init(presenting identity: TLSIdentity, logger: Logger?) async throws {
        let context = try identity.makeContext()
        let connections = OpenChannels()
        do {
            channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .childChannelInitializer { channel in
                    connections.add(channel)
                    return channel.eventLoop.makeCompletedFuture {
                        let pipeline = channel.pipeline.syncOperations
                        try pipeline.addHandler(NIOSSLServerHandler(context: context))
                        try pipeline.addHandler(IdleStateHandler(allTimeout: .seconds(10)))
                        try pipeline.configureHTTPServerPipeline(withErrorHandling: true)
                        try pipeline.addHandler(FixedResponder(logger: logger))
                    }
                }
                .bind(host: "127.0.0.1", port: 0).get()
        } catch {
            throw ChatDevServerError(
                .cannotListen, reason: "A scenario server cannot listen on 127.0.0.1.", underlying: error)
        }
        self.connections = connections
        self.port = channel.localAddress?.port ?? 0
    }

    private func stop() async {
        // The call fails if the channel is already closed, which is fine.
        try? await channel.close().get()
        await connections.closeAll()
    }
}
