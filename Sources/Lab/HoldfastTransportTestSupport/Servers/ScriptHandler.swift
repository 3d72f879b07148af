import NIOCore
import NIOHTTP1
import NIOSSL
import NIOTLS

/// Runs a server's script on one connection.
final class ScriptHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = ByteBuffer

    private let settings: ScriptedServer.Settings
    private let connection: Int
    private let waitsForTLS: Bool
    private let received: (ScriptedRequest) -> Void
    private var request: ScriptedRequest?
    private var count = 0
    private var actions: [ScriptedAction] = []
    private var isWaiting = false

    init(
        _ settings: ScriptedServer.Settings, connection: Int, waitsForTLS: Bool,
        received: @escaping (ScriptedRequest) -> Void
    ) {
        self.settings = settings
        self.connection = connection
        self.waitsForTLS = waitsForTLS
        self.received = received
    }

    func channelActive(context: ChannelHandlerContext) {
        if !waitsForTLS { perform(settings.onConnect, context: context) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if waitsForTLS, case TLSUserEvent.handshakeCompleted? = event as? TLSUserEvent {
            perform(settings.onConnect, context: context)
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard settings.readsRequests else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            let request = ScriptedRequest(
                connection: connection, number: count, method: head.method.rawValue, target: head.uri,
                fields: head.headers.map { .init(name: $0.name, value: $0.value) })
            count += 1
            self.request = request
            perform(settings.onHead(request), context: context)
        case .body(let part):
            request?.body.append(contentsOf: part.readableBytesView)
        case .end:
            guard let request else { return }
            self.request = nil
            received(request)
            perform(settings.onRequest(request), context: context)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    private func perform(_ more: [ScriptedAction], context: ChannelHandlerContext) {
        actions += more
        while !isWaiting, !actions.isEmpty {
            switch actions.removeFirst() {
            case .send(let bytes):
                context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
            case .stopReading:
                try? context.channel.syncOptions?.setOption(.autoRead, value: false)
            case .close:
                context.close(promise: nil)
            case .cut:
                closeBelowTLS(context)
            case .reset:
                context.channel.resetsOnClose()
                closeBelowTLS(context)
            case .wait(let trigger):
                isWaiting = true
                let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
                let loop = context.eventLoop
                trigger.whenFired {
                    loop.execute {
                        let (handler, context) = bound.value
                        handler.isWaiting = false
                        handler.perform([], context: context)
                    }
                }
            }
        }
    }

    private func closeBelowTLS(_ context: ChannelHandlerContext) {
        let tls = try? context.pipeline.syncOperations.context(handlerType: NIOSSLServerHandler.self)
        (tls ?? context).close(promise: nil)
    }
}
