import NIOCore
import NIOHTTP2
import NIOTLS

extension ChannelPipeline.SynchronousOperations {
    /// Adds the server-side HTTP/2 handlers. Must be called on the event loop.
    func addHTTP2(
        _ settings: ScriptedServer.Settings, connection: Int, received: @escaping @Sendable (ScriptedRequest) -> Void,
        abandoned: @escaping @Sendable () -> Void
    ) throws {
        var configuration = NIOHTTP2Handler.ConnectionConfiguration()
        configuration.initialSettings = [
            HTTP2Setting(parameter: .maxConcurrentStreams, value: settings.concurrentStreams),
            HTTP2Setting(parameter: .maxHeaderListSize, value: 1024 * 1024),
        ]
        // Scripts may violate the protocol.
        configuration.headerBlockValidation = .disabled
        configuration.contentLengthValidation = .disabled
        configuration.controlFrameRateLimit.maximumCount = 1_000_000
        var streams = NIOHTTP2Handler.StreamConfiguration()
        streams.streamResetFrameRateLimit.maximumCount = 1_000_000
        let counter = NIOLoopBoundBox(0, eventLoop: eventLoop)
        try addHandler(
            NIOHTTP2Handler(
                mode: .server, eventLoop: eventLoop, connectionConfiguration: configuration,
                streamConfiguration: streams
            ) { channel in
                channel.eventLoop.makeCompletedFuture {
                    let number = counter.value
                    counter.value += 1
                    try channel.pipeline.syncOperations.addHandler(
                        ScriptStreamHandler(
                            settings, connection: connection, number: number, received: received, abandoned: abandoned))
                }
            })
        try addHandler(ErrorCloser())
    }
}

/// Closes a connection after an error.
private final class ErrorCloser: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A reset by the client is not an error.
        if error is NIOHTTP2Errors.StreamClosed || error is NIOHTTP2Errors.NoSuchStream { return }
        context.close(promise: nil)
    }
}

/// An HTTP/2 server that sends exactly the frames of a test. It does not enforce the protocol.
final class FrameScriptHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let settings: ScriptedServer.Settings
    private let connection: Int
    private let onFrame: @Sendable (Int, RawHTTP2Frame) -> [RawHTTP2Frame]
    private let saw: (RawHTTP2Frame) -> Void
    private var reader = WireFrameReader()
    private var hasBegun = false

    init(
        _ settings: ScriptedServer.Settings, connection: Int,
        onFrame: @escaping @Sendable (Int, RawHTTP2Frame) -> [RawHTTP2Frame], saw: @escaping (RawHTTP2Frame) -> Void
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

    private func send(_ frames: [RawHTTP2Frame], _ context: ChannelHandlerContext) {
        guard !frames.isEmpty else { return }
        var buffer = ByteBuffer(bytes: frames.flatMap(\.bytes))
        while let piece = buffer.readSlice(length: min(settings.pieces, buffer.readableBytes)), piece.readableBytes > 0
        {
            context.writeAndFlush(wrapOutboundOut(piece), promise: nil)
        }
    }
}
