import NIOCore
import NIOHTTP2

extension HTTP2Handler {
    /// Adds the HTTP/2 handlers to a new connection and sends the first frames. Must be called on its event loop.
    /// Throws if the connection is closed.
    static func connection(_ dialled: Dialled, pool: OriginPool) throws -> PooledConnection {
        let loop = dialled.channel.eventLoop
        let frames = FrameGuard(limits: pool.configuration.limits)
        let library = NIOHTTP2Handler(
            mode: .client, eventLoop: loop,
            connectionConfiguration: .holdfast(pool.configuration.limits), streamConfiguration: .holdfast
        ) { channel in
            // The server cannot open streams, because push is disabled.
            channel.close()
        }
        let handler = HTTP2Handler(pool: pool, facts: dialled.facts, frames: frames)
        let pipeline = dialled.channel.pipeline.syncOperations
        try pipeline.addHandlers([frames, library, handler])
        // The handlers would not be notified of a close that has already happened.
        guard dialled.channel.isActive else { throw ChannelError.eof }
        let connection = PooledConnection(
            dialled.id, handler,
            initialStreams: pool.configuration.keepAlive > .zero ? HTTP2Limits.assumedStreams : 1, on: loop)
        handler.begin(connection, try library.syncMultiplexer())
        return connection
    }
}

extension NIOHTTP2Handler.ConnectionConfiguration {
    /// The settings for the server, and the limits of the library. ``HTTP2ResponseReader`` checks heads and lengths,
    /// because its errors are more specific.
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
        configuration.outboundBufferSizeHighWatermark = RequestBodyMachine.partSize
        configuration.outboundBufferSizeLowWatermark = RequestBodyMachine.partSize / 2
        configuration.streamResetFrameRateLimit.maximumCount = HTTP2Limits.framesPerWindow
        return configuration
    }
}

extension TransportLimits {
    /// The size of a field block at which the library aborts the connection, calculated as in RFC 9113, 6.5.2 (with 32
    /// additional bytes per field). It is twice the accepted size, so that a head that is only slightly too large
    /// resets only its stream.
    fileprivate var fieldBlockSize: Int {
        let (size, overflows) = max(headBytes, 1).multipliedReportingOverflow(by: 2)
        let (fields, overflowsToo) = max(headerFields, 1).multipliedReportingOverflow(by: 64)
        let (sum, overflowsAtLast) = size.addingReportingOverflow(fields)
        return overflows || overflowsToo || overflowsAtLast ? Int(Int32.max) : min(sum, Int(Int32.max))
    }
}
