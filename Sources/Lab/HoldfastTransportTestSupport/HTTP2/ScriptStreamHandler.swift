import NIOCore
import NIOHPACK
import NIOHTTP2

/// Runs a server's script on one HTTP/2 stream.
final class ScriptStreamHandler: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias OutboundOut = HTTP2Frame.FramePayload

    private let settings: ScriptedServer.Settings
    private let connection: Int
    private let number: Int
    private let received: (ScriptedRequest) -> Void
    private let abandoned: () -> Void
    private var request: ScriptedRequest?
    private var translator = ResponseTranslator(to: "")
    private var actions: [ScriptedAction] = []
    private var isWaiting = false

    init(
        _ settings: ScriptedServer.Settings, connection: Int, number: Int,
        received: @escaping (ScriptedRequest) -> Void, abandoned: @escaping () -> Void
    ) {
        self.settings = settings
        self.connection = connection
        self.number = number
        self.received = received
        self.abandoned = abandoned
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .headers(let payload):
            let request = ScriptedRequest(payload.headers, connection: connection, number: number)
            self.request = request
            translator = ResponseTranslator(to: request.method)
            perform(settings.onHead(request), context: context)
            if payload.endStream { ended(context) }
        case .data(let payload):
            if case .byteBuffer(let buffer) = payload.data {
                request?.body.append(contentsOf: buffer.readableBytesView)
            }
            if payload.endStream { ended(context) }
        default:
            break
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if error is NIOHTTP2Errors.StreamClosed { abandoned() }
        context.close(promise: nil)
    }

    private func ended(_ context: ChannelHandlerContext) {
        guard let request else { return }
        self.request = nil
        received(request)
        perform(settings.onRequest(request), context: context)
    }

    private func perform(_ more: [ScriptedAction], context: ChannelHandlerContext) {
        actions += more
        while !isWaiting, !actions.isEmpty {
            switch actions.removeFirst() {
            case .send(let bytes):
                send(translator.take(bytes), context)
            case .stopReading:
                // All streams share the socket.
                try? context.channel.parent?.syncOptions?.setOption(.autoRead, value: false)
            case .close:
                if let parts = translator.close() {
                    send(parts, context)
                } else {
                    context.channel.parent?.close(promise: nil)
                }
            case .cut:
                _ = context.channel.parent?.closeBelowTLS()
            case .reset:
                context.channel.parent?.resetsOnClose()
                _ = context.channel.parent?.closeBelowTLS()
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

    private func send(_ parts: [ResponseTranslator.Part], _ context: ChannelHandlerContext) {
        for part in parts {
            switch part {
            case .fields(let fields, let ends):
                context.write(wrapOutboundOut(.headers(.init(headers: fields, endStream: ends))), promise: nil)
            case .data(let bytes, let ends):
                let data = IOData.byteBuffer(ByteBuffer(bytes: bytes))
                context.write(wrapOutboundOut(.data(.init(data: data, endStream: ends))), promise: nil)
            }
        }
        context.flush()
    }
}

extension ScriptedRequest {
    /// Creates a request from an HTTP/2 header block. The authority becomes `Host`.
    init(_ fields: HPACKHeaders, connection: Int, number: Int) {
        let pseudo = { (name: String) in fields.first(name: name) ?? "" }
        self.init(
            connection: connection, number: number, method: pseudo(":method"), target: pseudo(":path"),
            fields: [.init(name: "Host", value: pseudo(":authority"))]
                + fields.filter { !$0.name.hasPrefix(":") }.map { .init(name: $0.name, value: $0.value) })
    }
}
