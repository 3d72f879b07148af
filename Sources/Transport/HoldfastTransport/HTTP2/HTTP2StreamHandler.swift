import HTTPTypes
import HoldfastNIO
import NIOCore
import NIOHPACK
import NIOHTTP2

/// Carries one exchange on one stream: the driver of ``HTTP2ResponseReader``. Confined to the connection's event loop.
final class HTTP2StreamHandler: ChannelDuplexHandler, ExchangeCarrier {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias OutboundIn = HTTP2Frame.FramePayload
    typealias OutboundOut = HTTP2Frame.FramePayload

    /// `nil` once the stream has ended.
    private(set) var connection: HTTP2Handler?
    /// `nil` once the exchange is over, or goes on elsewhere.
    private(set) var exchange: Exchange?
    var context: ChannelHandlerContext?
    var upload = UploadState()
    var progress: TransferProgress
    var timer = ConnectionTimer()
    private var reader: HTTP2ResponseReader
    private var informational = 0
    private var headHasArrived = false
    private var begunAt = NIODeadline.uptimeNanoseconds(0)
    private var readIsPaused = false
    private var readIsDue = false
    private let limits: TransportLimits

    /// Whether the head of the request has been handed on: the stream has a number, and its end is told to the server.
    var hasBegun = false

    init(_ exchange: Exchange, connection: HTTP2Handler) {
        self.exchange = exchange
        self.connection = connection
        self.limits = connection.pool.configuration.limits
        self.reader = HTTP2ResponseReader(to: exchange.request.method, limits: limits)
        self.progress = TransferProgress(toSend: exchange.request.body.length)
    }

    /// The number of the stream, once it has one.
    var number: UInt32? {
        (try? context?.channel.syncOptions?.getOption(HTTP2StreamChannelOptions.streamID)).map { UInt32(Int($0)) }
    }

    /// In which phase the exchange is.
    var phase: TransportError.Phase {
        if headHasArrived { return .receiving }
        return hasBegun && !upload.isUnderway ? .awaitingResponse : .sending
    }

    /// The exchange's time begins.
    func prepare(at now: NIODeadline) {
        guard let exchange else { return }
        begunAt = now
        timer.begin(exchange, at: now)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
    }

    // MARK: From the channel

    func channelActive(context: ChannelHandlerContext) {
        // The caller may have given up before the stream was made.
        guard let exchange else { return context.close(promise: nil) }
        sendHead(exchange, context: context)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard exchange != nil else { return }
        timer.progressed(at: context.eventLoop.now)
        do throws(TransportError) {
            switch unwrapInboundIn(data) {
            case .headers(let payload):
                try receive(payload.headers, ends: payload.endStream)
            case .data(let payload):
                guard case .byteBuffer(let buffer) = payload.data else { return }
                try reader.data(buffer.readableBytes, ends: payload.endStream)
                receive(buffer)
                if payload.endStream { complete(trailers: nil) }
            default:
                break
            }
        } catch {
            fail(error, resetting: error.code == .malformedResponse ? .protocolError : .cancel)
        }
    }

    func read(context: ChannelHandlerContext) {
        if readIsPaused {
            readIsDue = true
        } else {
            context.read()
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { pump() }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // What is wrong with a frame is told again with the reset that the library sends; else it is a write that came too late.
        guard let closed = error as? NIOHTTP2Errors.StreamClosed, let connection else { return }
        let number = UInt32(Int(closed.streamID))
        if connection.hasReset(number) {
            return fail(
                .malformed(
                    .frame, "A frame on the stream breaks the rules of HTTP/2 (\(closed.errorCode.name))."))
        }
        fail(
            TransportError(
                .connectionClosed, in: phase, "The server reset the stream (\(closed.errorCode.name))."),
            isUnseen: closed.errorCode == .refusedStream || connection.isUnseen(number))
    }

    func channelInactive(context: ChannelHandlerContext) {
        // A stream that does not end by itself or by a reset ends with its connection, which hears of it later.
        connection?.fail(HTTP2Handler.lost)
        context.fireChannelInactive()
    }

    // MARK: Receiving

    private func receive(_ block: HPACKHeaders, ends: Bool) throws(TransportError) {
        switch try reader.fields(block, ends: ends) {
        case .informational(let head):
            informational += 1
            guard informational <= limits.informationalResponses else {
                throw HTTP1Machine.tooManyInformational(limits.informationalResponses)
            }
            exchange?.options.onInformational?(head.response)
            if head.status == 100 { bodyIsAskedFor() }
        case .head(let head, let framing):
            receive(head, framing)
            if ends { complete(trailers: nil) }
        case .trailers(let fields):
            complete(trailers: fields)
        }
    }

    private func receive(_ head: ResponseHead, _ framing: ResponseFraming) {
        guard let exchange, let connection else { return }
        headHasArrived = true
        if upload.awaitsContinue {
            upload.awaitsContinue = false
            upload.isUnderway = false
            upload.isGivenUp = true
        }
        var length: Int64?
        if case .length(let known) = framing { length = known }
        progress.toReceive = framing == .none ? 0 : length
        exchange.receive(head.response, length: length, facts: connection.facts)
    }

    private func receive(_ part: ByteBuffer) {
        guard let exchange, part.readableBytes > 0 else { return }
        progress.received += Int64(part.readableBytes)
        reportProgress(exchange)
        guard !exchange.receive(part) else { return }
        readIsPaused = true
        timer.isPaused = true
        connection?.readingChanged(of: number, isPaused: true)
    }

    /// The reader has room again.
    func resumeReading(_ exchange: Exchange) {
        guard self.exchange === exchange, readIsPaused else { return }
        readIsPaused = false
        timer.isPaused = false
        connection?.readingChanged(of: number, isPaused: false)
        guard let context else { return }
        timer.progressed(at: context.eventLoop.now)
        if readIsDue {
            readIsDue = false
            context.read()
        }
    }

    func reportProgress(_ exchange: Exchange) {
        exchange.options.onProgress?(progress)
    }

    // MARK: Endings

    /// The response is complete. What is left of the request's body nobody wants.
    private func complete(trailers: HTTPFields?) {
        guard let exchange else { return }
        let isSending = upload.isUnderway || upload.isGivenUp || upload.pendingWrites > 0
        // The place is free before the caller knows, who may ask for it at once.
        leave(completed: true, resetting: isSending ? .cancel : nil)
        exchange.complete(trailers: trailers)
    }

    /// The exchange is over on the caller's side.
    func abort(_ exchange: Exchange) {
        guard self.exchange === exchange else { return }
        leave(completed: false, resetting: .cancel)
    }

    /// The exchange has failed, and with it the stream.
    ///
    /// - Parameters:
    ///   - isUnseen: Whether the server says that it has done nothing for it, so that it can be sent again whatever it is.
    ///   - code: What the server is told.
    func fail(_ error: TransportError, isUnseen: Bool = false, resetting code: NIOHTTP2.HTTP2ErrorCode = .cancel) {
        guard let exchange, let connection else { return }
        let error = placed(error)
        leave(completed: false, resetting: code)
        settle(exchange, connection, error, mayRepeat: isUnseen)
    }

    /// The connection has ended.
    func connectionEnded(_ error: TransportError) {
        guard let exchange, let connection else { return }
        let isStale = connection.mayBeStale && !reader.hasBegun && error.code == .connectionClosed
        let isUnseen = connection.isUnseen(number) || !hasBegun
        let error = placed(error)
        forget()
        settle(exchange, connection, error, mayRepeat: isUnseen && error.code == .connectionClosed, isStale: isStale)
    }

    private func settle(
        _ exchange: Exchange, _ connection: HTTP2Handler, _ error: TransportError, mayRepeat: Bool,
        isStale: Bool = false
    ) {
        // A server that has answered with as much as a 103 has looked at it.
        let mayRepeat = mayRepeat && !reader.hasBegun
        if mayRepeat || isStale {
            // Where nothing was done, only what was taken of a streamed body stands in the way.
            let hasSent = isStale && !mayRepeat || upload.hasTakenStream
            let othersWereServed = mayRepeat && connection.isOfUse
            return connection.pool.retryOrFail(
                exchange, hasSent: hasSent, othersWereServed: othersWereServed, error)
        }
        exchange.detach()
        exchange.fail(error)
    }

    /// The error, with the phase in which the exchange is.
    private func placed(_ error: TransportError) -> TransportError {
        var error = error
        if error.phase == .awaitingResponse || error.phase == .waiting { error.phase = phase }
        return error
    }

    /// The stream ends, with a reset where one is needed, and its place is free.
    private func leave(completed: Bool, resetting code: NIOHTTP2.HTTP2ErrorCode?) {
        guard let exchange, let connection else { return }
        forget()
        if let code, let context {
            if hasBegun, context.channel.isActive {
                context.writeAndFlush(wrapOutboundOut(.rstStream(code)), promise: nil)
            }
            // The reset of a stream whose head the library still holds back closes nothing.
            context.close(promise: nil)
        }
        connection.ended(exchange, completed: completed)
    }

    private func forget() {
        timer.cancel()
        upload.isUnderway = false
        endOpenEnd()
        exchange = nil
        if readIsPaused { connection?.readingChanged(of: number, isPaused: false) }
        connection = nil
        // What is still read nobody keeps.
        readIsPaused = false
    }
}

extension HTTP2StreamHandler {
    /// Fails the exchange if its time is up. Returns when to ask again; `nil`: it is over.
    func endIfOverdue(at now: NIODeadline) -> NIODeadline? {
        switch timer.due(at: now) {
        case .total:
            fail(.totalTimeIsUp)
        case .idle:
            let phase = phase
            connection?.timedOut(since: begunAt)
            fail(TransportError(.timedOut, in: phase, "Nothing has moved for the idle time-out (\(phase))."))
        case .keepAlive, nil:
            break
        }
        guard exchange != nil else { return nil }
        // It waits for its reader, not for the server.
        if timer.isPaused { timer.progressed(at: now) }
        return timer.next
    }
}
