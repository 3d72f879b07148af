import NIOCore
import NIOHTTP2

extension ChannelPipeline.SynchronousOperations {
    /// Adds the server's side of HTTP/2. On the event loop.
    func addHTTP2(
        _ settings: ScriptedServer.Settings, connection: Int, received: @escaping @Sendable (ScriptedRequest) -> Void,
        abandoned: @escaping @Sendable () -> Void
    ) throws {
        var configuration = NIOHTTP2Handler.ConnectionConfiguration()
        configuration.initialSettings = [
            HTTP2Setting(parameter: .maxConcurrentStreams, value: settings.concurrentStreams),
            HTTP2Setting(parameter: .maxHeaderListSize, value: 1024 * 1024),
        ]
        // Scripts may break the rules.
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

/// Closes a connection on which something went wrong.
private final class ErrorCloser: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A stream that the client has reset is no reason.
        if error is NIOHTTP2Errors.StreamClosed || error is NIOHTTP2Errors.NoSuchStream { return }
        context.close(promise: nil)
    }
}
