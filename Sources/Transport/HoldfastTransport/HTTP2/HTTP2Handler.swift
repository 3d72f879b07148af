import HoldfastNIO
import NIOCore
import NIOHTTP2

/// Carries the streams of one connection: the driver of ``HTTP2Machine``. It follows the library's handler, which does
/// not pass on the frames of streams. Confined to the channel's event loop.
final class HTTP2Handler: ChannelInboundHandler, ConnectionHandler, NIOScheduledCallbackHandler {
    typealias InboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    let pool: OriginPool
    let facts: ConnectionFacts
    private let frames: FrameGuard
    private var machine = HTTP2Machine()
    /// The pool's view of the connection. Both release each other when the channel closes.
    private var connection: PooledConnection?
    private var multiplexer: NIOHTTP2Handler.StreamMultiplexer?
    private var context: ChannelHandlerContext?
    private var timer = ConnectionTimer()
    private lazy var watch = HTTP2StreamWatch(self)
    /// The streams by their exchanges.
    private var streams: [RequestID: HTTP2StreamHandler] = [:]
    /// The time at which data was last received from the server.
    private var heardAt: NIODeadline?
    /// Whether the server's first SETTINGS frame was received.
    private(set) var hasSettings = false
    /// Whether the connection was idle, so that the server may close it at the moment when it is used.
    private var hasBeenIdle = false

    init(pool: OriginPool, facts: ConnectionFacts, frames: FrameGuard) {
        self.pool = pool
        self.facts = facts
        self.frames = frames
        self.timer.keepAlive = pool.configuration.keepAlive
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        // A channel that is closed in the callbacks of its connect promise does not become inactive.
        connection = nil
        multiplexer = nil
    }

    /// Starts the handler when the pipeline is complete.
    func begin(_ connection: PooledConnection, _ multiplexer: NIOHTTP2Handler.StreamMultiplexer) {
        self.connection = connection
        self.multiplexer = multiplexer
    }

    // MARK: From the pool

    /// Starts an exchange on its own stream.
    func start(_ exchange: Exchange) {
        guard connection != nil, let context, let multiplexer, machine.begin() else {
            return pool.retryOrFail(exchange, hasSent: false, .closedUnused)
        }
        timer.lent()
        let stream = HTTP2StreamHandler(exchange, connection: self)
        guard exchange.attach(LoopHandle(stream, on: context.eventLoop)) else {
            // The caller cancelled the exchange meanwhile.
            return ended(nil, completed: false)
        }
        streams[exchange.id] = stream
        if exchange.request.closesAfterwards || timer.keepAlive <= .zero || machine.isExhausted {
            retire()
        }
        watch.arm(for: stream.prepare(at: context.eventLoop.now), on: context.eventLoop)
        let created = context.eventLoop.makePromise(of: (any Channel).self)
        let bound = NIOLoopBound(stream, eventLoop: context.eventLoop)
        created.futureResult.assumeIsolated().whenComplete { result in
            // A connection that closes at this moment creates streams that never become active.
            guard case .success(let channel) = result, channel.isActive || stream.hasBegun else {
                return stream.fail(.closedUnused, isUnseen: true)
            }
        }
        multiplexer.createStreamChannel(promise: created) { channel in
            channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(bound.value) }
        }
    }

    /// Waits for the next exchange.
    func park() {
        guard let context, !machine.isClosed, machine.active == 0 else { return }
        hasBeenIdle = true
        timer.park(at: context.eventLoop.now)
        timer.arm(self, on: context, firing: false)
    }

    /// Closes the connection with GOAWAY. Its streams fail.
    func close() {
        guard let context, !machine.isClosed else { return }
        let farewell = HTTP2Frame(
            streamID: .rootStream, payload: .goAway(lastStreamID: .rootStream, errorCode: .noError, opaqueData: nil))
        context.writeAndFlush(wrapOutboundOut(farewell), promise: nil)
        end(.closedUnused) { context.close(promise: nil) }
    }

    // MARK: From the channel

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !machine.isClosed else { return }
        switch unwrapInboundIn(data).payload {
        case .settings(.settings(let settings)):
            receive(settings)
        case .goAway(let last, let code, _):
            receiveGoAway(last: UInt32(Int(last)), code)
        default:
            break
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        heardAt = context.eventLoop.now
        context.fireChannelReadComplete()
    }

    func channelInactive(context: ChannelHandlerContext) {
        fail(.lost(in: .awaitingResponse))
        connection = nil
        multiplexer = nil
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? any NIOHTTP2Error else {
            return fail(TransportError(channel: error, in: .awaitingResponse))
        }
        if frames.hasSentGoAway { return fail(TransportError(http2: error)) }
        // An error of a stream also reaches that stream and ends only it. A failed write is not reported to a stream.
        if let error = TransportError(unsent: error) { fail(error) }
    }

    private func receive(_ settings: HTTP2Settings) {
        if !hasSettings {
            hasSettings = true
            for stream in inOrder { stream.pump() }
        }
        guard let connection, timer.keepAlive > .zero,
            let limit = settings.last(where: { $0.parameter == .maxConcurrentStreams })
        else { return }
        let streams = min(limit.value, HTTP2Limits.maximumStreams)
        pool.limited(connection, streams: streams)
    }

    /// Processes the server's GOAWAY. Requests that the server has not processed are repeated on another connection,
    /// whatever their method (RFC 9113, 8.7).
    private func receiveGoAway(last: UInt32, _ code: HTTP2ErrorCode) {
        machine.goAway(last: last)
        retire()
        let error = TransportError(
            .connectionClosed, in: .awaitingResponse,
            "The server closed the connection before it processed the request (\(code.name)).")
        for stream in inOrder where isUnseen(stream.number) {
            stream.fail(error, isUnseen: true)
        }
        if machine.active == 0 { close() }
    }

    /// Stops accepting exchanges.
    private func retire() {
        guard machine.drain(), let connection else { return }
        pool.retired(connection)
    }

    // MARK: From the streams

    /// Changes the number of bodies of unknown length in progress.
    func countOpenEnds(_ difference: Int) { frames.openEnds += difference }

    /// Processes the end of a stream, including a reset. The exchange is completed or failed separately.
    func ended(_ exchange: Exchange?, completed: Bool) {
        if let exchange { streams[exchange.id] = nil }
        switch machine.ended(completed: completed) {
        case .offer:
            guard let connection else { return }
            if let next = pool.released(connection) {
                start(next)
            } else if machine.active == 0 {
                park()
            }
        case .close:
            close()
        case .goOn:
            break
        }
    }

    /// Processes the timeout of a stream. If nothing was received since `begin`, the connection may be dead and accepts
    /// no more exchanges.
    func timedOut(since begin: NIODeadline) {
        if heardAt.map({ $0 < begin }) ?? true { retire() }
    }

    /// Whether an exchange without a response may be repeated after the connection was lost, because the connection has
    /// worked before, or was open before it was needed.
    var mayBeStale: Bool { machine.hasCompleted || hasBeenIdle }

    /// Whether the server has completed a stream, or has stated that it processed one.
    var isOfUse: Bool { machine.hasCompleted || machine.lastStream.map { $0 > 0 } ?? false }

    /// Returns whether the server has not processed a stream, because it said so or because the head was not sent.
    func isUnseen(_ stream: UInt32?) -> Bool {
        machine.isUnseen(stream) || stream.map { $0 > frames.lastHeadSent } ?? false
    }

    /// Returns whether this side has just reset the stream, because the library found an invalid frame.
    func hasReset(_ stream: UInt32) -> Bool { frames.lastReset == stream }

    /// Records whether the reader of a stream is paused.
    func readingChanged(of stream: UInt32?, isPaused: Bool) {
        guard let stream else { return }
        if isPaused {
            frames.waiting.paused(stream)
        } else {
            frames.waiting.resumed(stream)
        }
    }

    // MARK: Endings

    /// Fails all exchanges and closes the connection.
    func fail(_ error: TransportError) {
        end(error) { self.context?.channel.cut() }
    }

    private func end(_ error: TransportError, _ close: () -> Void) {
        guard machine.failed() else { return }
        timer.cancel()
        watch.cancel()
        let streams = inOrder
        self.streams = [:]
        if let connection { pool.gone(connection) }
        for stream in streams {
            // Only one response caused a head that is too large for the library.
            let isCulprit = error.code != .headTooLarge || stream.number == frames.lastHeadStream
            stream.connectionEnded(isCulprit ? error : .closedUnused)
        }
        close()
    }

    private var inOrder: [HTTP2StreamHandler] { streams.keys.sorted().compactMap { streams[$0] } }

    // MARK: Time

    /// Ends the streams whose deadline has passed. Returns the next deadline.
    func endOverdueStreams(at now: NIODeadline) -> NIODeadline? {
        inOrder.compactMap { $0.endIfOverdue(at: now) }.min()
    }

    func handleScheduledCallback(eventLoop: some EventLoop) {
        guard let context, !machine.isClosed else { return }
        if timer.due(at: eventLoop.now) == .keepAlive {
            if let connection, pool.expire(connection) { return close() }
            // The pool has just assigned the connection, and its exchange has not arrived yet.
            timer.lent()
        }
        timer.arm(self, on: context, firing: true)
    }
}
