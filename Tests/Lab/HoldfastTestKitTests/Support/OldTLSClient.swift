import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import NIOTLS

/// A careless client: it verifies the chain and the host, but negotiates TLS 1.0 and later.
enum OldTLSClient {
    /// Returns the first bytes of the response to a request for `/`.
    static func get(_ url: URL, caFile: String) async throws -> String {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv1
        configuration.trustRoots = .file(caFile)
        let context = try NIOSSLContext(configuration: configuration)
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let answer = loop.makePromise(of: String.self)
        let channel: any Channel
        do {
            channel = try await ClientBootstrap(group: loop)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandlers([
                            NIOSSLClientHandler(context: context, serverHostname: "localhost"), Requester(answer),
                        ])
                    }
                }
                .connect(host: "127.0.0.1", port: url.port ?? 0).get()
        } catch {
            answer.fail(error)
            return try await answer.futureResult.get()
        }
        let result = await Result { try await answer.futureResult.get() }
        try? await channel.close()
        return try result.get()
    }

    /// Sends a request after the handshake.
    private final class Requester: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let answer: EventLoopPromise<String>
        private var isOver = false

        init(_ answer: EventLoopPromise<String>) {
            self.answer = answer
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            guard case TLSUserEvent.handshakeCompleted? = event as? TLSUserEvent else { return }
            let request = ByteBuffer(string: "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            context.writeAndFlush(wrapOutboundOut(request), promise: nil)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            end(.success(String(buffer: unwrapInboundIn(data))))
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            end(.failure(error))
            context.close(promise: nil)
        }

        func channelInactive(context: ChannelHandlerContext) {
            end(.failure(ClientError("The connection ended.")))
        }

        private func end(_ result: Result<String, any Error>) {
            guard !isOver else { return }
            isOver = true
            answer.completeWith(result)
        }
    }
}

extension Result where Failure == any Error {
    /// Returns the result of an asynchronous closure.
    fileprivate init(_ body: () async throws -> Success) async {
        do {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }
}
