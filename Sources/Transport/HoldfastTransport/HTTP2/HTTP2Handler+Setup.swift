import NIOCore
import NIOHTTP2

extension HTTP2Handler {
    /// Puts HTTP/2 into the pipeline of a fresh connection, and sends the first frames. Called on its event loop. Throws if it is closed
    /// already.
    static func connection(_ dialled: Dialled, pool: OriginPool) throws -> PooledConnection {
        let loop = dialled.channel.eventLoop
        let frames = FrameGuard(limits: pool.configuration.limits)
        let library = NIOHTTP2Handler(
            mode: .client, eventLoop: loop,
            connectionConfiguration: .holdfast(pool.configuration.limits), streamConfiguration: .holdfast
        ) { channel in
            // Streams of the server's own making: it has none, pushing is forbidden.
            channel.close()
        }
        let handler = HTTP2Handler(pool: pool, facts: dialled.facts, frames: frames)
        let pipeline = dialled.channel.pipeline.syncOperations
        try pipeline.addHandlers([frames, library, handler])
        // The handlers would not hear of an end that is already past.
        guard dialled.channel.isActive else { throw ChannelError.eof }
        let connection = PooledConnection(
            dialled.id, handler,
            initialStreams: pool.configuration.keepAlive > .zero ? HTTP2Limits.assumedStreams : 1, on: loop)
        handler.begin(connection, try library.syncMultiplexer())
        return connection
    }
}

extension NIOHTTP2Handler.ConnectionConfiguration {
    /// What is told to the server, and the library's own limits. Heads and lengths are checked by ``HTTP2ResponseReader``, which says what
    /// is wrong with them.
    fileprivate static func holdfast(_ limits: TransportLimits) -> Self {
        var configuration = Self()
        configuration.initialSettings = [
            HTTP2Setting(parameter: .enablePush, value: 0),
            HTTP2Setting(parameter: .initialWindowSize, value: HTTP2Limits.streamWindow),
            HTTP2Setting(parameter: .maxHeaderListSize, value: limits.fieldBlockSize),
        ]
        configuration.headerBlockValidation = .disabled
        configuration.contentLengthValidation = .disabled
        configuration.targetWindowSize = HTTP2Limits.connectionWindow
        configuration.maximumSequentialContinuationFrames = HTTP2Limits.continuationFrames
        configuration.maximumSequentialEmptyDataFrames = HTTP2Limits.emptyDataFrames
        configuration.maximumBufferedControlFrames = HTTP2Limits.bufferedControlFrames
        configuration.maximumRecentlyResetStreams = HTTP2Limits.recentlyResetStreams
        configuration.maximumConnectionGlitches = HTTP2Limits.streamErrors
        configuration.controlFrameRateLimit.maximumCount = HTTP2Limits.framesPerWindow
        return configuration
    }
}

extension NIOHTTP2Handler.StreamConfiguration {
    fileprivate static var holdfast: Self {
        var configuration = Self()
        configuration.targetWindowSize = HTTP2Limits.streamWindow
        configuration.outboundBufferSizeHighWatermark = UploadMachine.partSize
        configuration.outboundBufferSizeLowWatermark = UploadMachine.partSize / 2
        configuration.streamResetFrameRateLimit.maximumCount = HTTP2Limits.framesPerWindow
        return configuration
    }
}

extension TransportLimits {
    /// What a field block may grow to before the library gives up on the connection, reckoned as RFC 9113, 6.5.2 does (32 bytes more for
    /// each field). Twice what is accepted, so that a head that is merely too large ends its stream alone.
    fileprivate var fieldBlockSize: Int {
        let (size, overflows) = max(headBytes, 1).multipliedReportingOverflow(by: 2)
        let (fields, overflowsToo) = max(headerFields, 1).multipliedReportingOverflow(by: 64)
        let (sum, overflowsAtLast) = size.addingReportingOverflow(fields)
        return overflows || overflowsToo || overflowsAtLast ? Int(Int32.max) : min(sum, Int(Int32.max))
    }
}
