import NIOCore
import NIOTLS

/// A server of HTTP/2 that sends what a test says, frame by frame, and keeps no rule by itself.
final class FrameScriptHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let settings: ScriptedServer.Settings
    private let connection: Int
    private let onFrame: @Sendable (Int, WireFrame) -> [WireFrame]
    private let saw: (WireFrame) -> Void
    private var reader = WireFrameReader()
    private var hasBegun = false

    init(
        _ settings: ScriptedServer.Settings, connection: Int,
        onFrame: @escaping @Sendable (Int, WireFrame) -> [WireFrame], saw: @escaping (WireFrame) -> Void
    ) {
        self.settings = settings
        self.connection = connection
        self.onFrame = onFrame
        self.saw = saw
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if !hasBegun {
            hasBegun = true
            send(settings.firstFrames, context)
        }
        for frame in reader.take(Array(unwrapInboundIn(data).readableBytesView)) {
            saw(frame)
            send(onFrame(connection, frame), context)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    private func send(_ frames: [WireFrame], _ context: ChannelHandlerContext) {
        guard !frames.isEmpty else { return }
        var buffer = ByteBuffer(bytes: frames.flatMap(\.bytes))
        while let piece = buffer.readSlice(length: min(settings.pieces, buffer.readableBytes)), piece.readableBytes > 0
        {
            context.writeAndFlush(wrapOutboundOut(piece), promise: nil)
        }
    }
}
