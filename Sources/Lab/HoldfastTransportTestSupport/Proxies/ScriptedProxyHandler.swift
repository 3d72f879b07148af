import NIOCore
import NIOPosix

/// Runs a proxy's script on one connection.
final class ScriptedProxyHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var steps: ArraySlice<ScriptedProxyStep>
    private let heard: ([UInt8]) -> Void
    private var received: [UInt8] = []
    private var isTunnel = false
    private var server: (any Channel)?

    init(_ steps: [ScriptedProxyStep], heard: @escaping ([UInt8]) -> Void) {
        self.steps = steps[...]
        self.heard = heard
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let buffer = unwrapInboundIn(data)
        if let server {
            server.writeAndFlush(buffer, promise: nil)
            return
        }
        if !isTunnel { heard(Array(buffer.readableBytesView)) }
        received += buffer.readableBytesView
        proceed(context: context)
    }

    func channelActive(context: ChannelHandlerContext) {
        proceed(context: context)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        server?.close(promise: nil)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    private func proceed(context: ChannelHandlerContext) {
        while !isTunnel, let step = steps.first {
            switch step {
            case .awaitHead:
                guard received.suffix(4).elementsEqual([0x0D, 0x0A, 0x0D, 0x0A]) else { return }
                received = []
            case .await(let count):
                guard received.count >= count else { return }
                received.removeFirst(count)
            case .send(let bytes):
                context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
            case .close:
                context.close(promise: nil)
            case .tunnel(let port):
                isTunnel = true
                tunnel(to: port, context: context)
            }
            steps = steps.dropFirst()
        }
    }

    private func tunnel(to port: UInt16, context: ChannelHandlerContext) {
        let client = context.channel
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        ClientBootstrap(group: context.eventLoop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(ProxyRelay(to: client))
                }
            }
            .connect(host: "127.0.0.1", port: Int(port))
            .whenComplete { result in
                let handler = bound.value
                switch result {
                case .success(let server):
                    handler.server = server
                    server.writeAndFlush(ByteBuffer(bytes: handler.received), promise: nil)
                    handler.received = []
                case .failure:
                    client.close(promise: nil)
                }
            }
    }
}

/// Forwards the data of a server to a proxy's client.
final class ProxyRelay: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let client: any Channel

    init(to client: any Channel) {
        self.client = client
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        client.writeAndFlush(unwrapInboundIn(data), promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        client.close(promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
