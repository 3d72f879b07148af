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

    /// The connection; `nil` after the stream has ended.
    private var connection: HTTP2Handler?
    /// The exchange; `nil` after it is over or moved to another connection.
    private var exchange: Exchange?
    private var context: ChannelHandlerContext?
    private var upload = RequestBodyMachine()
    /// Whether the stream sends a body of unknown length whose end has not reached the socket.
    private var isOpenEnded = false
    private var progress: TransferProgress
    private var timer = ConnectionTimer()
    private var reader: HTTP2ResponseReader
    private var headHasArrived = false
    private var begunAt = NIODeadline.uptimeNanoseconds(0)
    private var readIsPaused = false
    private var readIsDue = false

    /// Whether the head of the request was written: the stream then has a number and must be reset to end it.
    private(set) var hasBegun = false

    init(_ exchange: Exchange, connection: HTTP2Handler) {
        self.exchange = exchange
        self.connection = connection
        self.reader = HTTP2ResponseReader(
            to: exchange.request.method, limits: connection.pool.configuration.limits)
        self.progress = TransferProgress(toSend: exchange.request.body.length)
    }

    /// The number of the stream, if assigned.
    var number: UInt32? {
        (try? context?.channel.syncOptions?.getOption(HTTP2StreamChannelOptions.streamID)).map { UInt32(Int($0)) }
    }

    /// The phase of the exchange.
    var phase: TransportError.Phase {
        if headHasArrived { return .receiving }
        return hasBegun && !upload.isUnderway ? .awaitingResponse : .sending
    }

    /// Starts the deadlines of the exchange. Returns the first one.
    func prepare(at now: NIODeadline) -> NIODeadline {
        if let exchange {
            begunAt = now
            timer.begin(exchange, at: now)
        }
        return timer.next
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
    }

    // MARK: From the channel

    func channelActive(context: ChannelHandlerContext) {
        // The caller may have cancelled before the stream was created.
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
        // The library reports an invalid frame again with its own reset. Other errors are writes that came too late,
        // and are ignored.
        guard let closed = error as? NIOHTTP2Errors.StreamClosed, let connection else { return }
        let number = UInt32(Int(closed.streamID))
        if connection.hasReset(number) {
            return fail(
                .malformed(
                    .frame, "A frame on the stream violates the HTTP/2 protocol (\(closed.errorCode.name))."))
        }
        fail(
            TransportError(
                .connectionClosed, in: phase, "The server reset the stream (\(closed.errorCode.name))."),
            isUnseen: closed.errorCode == .refusedStream || connection.isUnseen(number))
    }

    func channelInactive(context: ChannelHandlerContext) {
        // A stream that ends without an end of stream or a reset ends because of its connection, which is notified
        // later.
        connection?.fail(.lost(in: .awaitingResponse))
        context.fireChannelInactive()
    }

    // MARK: Receiving

    private func receive(_ block: HPACKHeaders, ends: Bool) throws(TransportError) {
        switch try reader.fields(block, ends: ends) {
        case .informational(let head):
            exchange?.options.onInformational?(head.response)
            if head.status == 100, upload.asked() { pump() }
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
        upload.answered()
        progress.toReceive = framing == .none ? 0 : framing.announcedLength
        exchange.receive(head.response, length: framing.announcedLength, facts: connection.facts)
    }

    private func receive(_ part: ByteBuffer) {
        guard let exchange, part.readableBytes > 0 else { return }
        progress.received += Int64(part.readableBytes)
        exchange.options.onProgress?(progress)
        guard !exchange.receive(part) else { return }
        readIsPaused = true
        timer.isPaused = true
        connection?.readingChanged(of: number, isPaused: true)
    }

    /// Resumes reading, because the reader has room again.
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

    // MARK: Endings

    /// Completes the exchange. The rest of the request body is not sent.
    private func complete(trailers: HTTPFields?) {
        guard let exchange else { return }
        // The stream is released before the caller continues, because the caller may need it at once.
        leave(completed: true, resetting: upload.isSent ? nil : .cancel)
        exchange.complete(trailers: trailers)
    }

    /// Ends an exchange that the caller ended.
    func abort(_ exchange: Exchange) {
        guard self.exchange === exchange else { return }
        leave(completed: false, resetting: .cancel)
    }

    /// Fails the exchange and resets the stream.
    ///
    /// - Parameters:
    /// - isUnseen: Whether the server did not process the request, so that it can be repeated whatever its method.
    /// - code: The error code of the reset.
    func fail(_ error: TransportError, isUnseen: Bool = false, resetting code: NIOHTTP2.HTTP2ErrorCode = .cancel) {
        guard let exchange, let connection else { return }
        let error = placed(error)
        leave(completed: false, resetting: code)
        settle(exchange, connection, error, mayRepeat: isUnseen)
    }

    /// Processes the end of the connection.
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
        // A server that has sent any response, even a 103, has processed the request.
        let mayRepeat = mayRepeat && !reader.hasBegun
        if mayRepeat || isStale {
            // If the request was not processed, only consumed parts of a streamed body prevent a repetition.
            let hasSent = isStale && !mayRepeat || upload.hasTakenStream
            let othersWereServed = mayRepeat && connection.isOfUse
            return connection.pool.retryOrFail(
                exchange, hasSent: hasSent, othersWereServed: othersWereServed, error)
        }
        exchange.detach()
        exchange.fail(error)
    }

    /// Returns the error with the phase of the exchange.
    private func placed(_ error: TransportError) -> TransportError {
        var error = error
        if error.phase == .awaitingResponse || error.phase == .waiting { error.phase = phase }
        return error
    }

    /// Ends the stream, with a reset if needed, and releases its place.
    private func leave(completed: Bool, resetting code: NIOHTTP2.HTTP2ErrorCode?) {
        guard let exchange, let connection else { return }
        forget()
        if let code, let context {
            if hasBegun, context.channel.isActive {
                context.writeAndFlush(wrapOutboundOut(.rstStream(code)), promise: nil)
            }
            // Resetting a stream whose head the library still holds back does not close it.
            context.close(promise: nil)
        }
        connection.ended(exchange, completed: completed)
    }

    private func forget() {
        timer.cancel()
        upload.stop()
        endOpenEnd()
        exchange = nil
        if readIsPaused { connection?.readingChanged(of: number, isPaused: false) }
        connection = nil
        // Data that is still read is discarded.
        readIsPaused = false
    }
}

extension HTTP2StreamHandler {
    /// Fails the exchange if a deadline has passed. Returns the next deadline; `nil` if the exchange is over.
    func endIfOverdue(at now: NIODeadline) -> NIODeadline? {
        switch timer.due(at: now) {
        case .total:
            fail(.totalTimeIsUp)
        case .idle:
            let phase = phase
            connection?.timedOut(since: begunAt)
            fail(TransportError(.timedOut, in: phase, "No data was transferred within the idle timeout (\(phase))."))
        case .keepAlive, nil:
            break
        }
        guard exchange != nil else { return nil }
        // The exchange waits for its reader, not for the server.
        if timer.isPaused { timer.progressed(at: now) }
        return timer.next
    }
}

// MARK: - Sending

extension HTTP2StreamHandler {
    private func sendHead(_ exchange: Exchange, context: ChannelHandlerContext) {
        let request = exchange.request
        let fields: HPACKHeaders
        do throws(TransportError) {
            fields = try HPACKHeaders(request)
        } catch {
            return fail(error)
        }
        hasBegun = true
        let isLast = request.body.isAbsent
        context.write(wrapOutboundOut(.headers(.init(headers: fields, endStream: isLast))), promise: nil)
        if !isLast {
            upload.begin(asks: request.expectsContinue)
            if request.expectsContinue {
                // As in HTTP/1.1: many servers never send `100`.
                context.eventLoop.assumeIsolated().scheduleTask(in: HTTP1Handler.continueTimeout) { [self] in
                    if upload.asked() { pump() }
                }
            }
            writeParts(exchange, context: context)
        }
        context.flush()
    }

    /// Continues sending: the closure that writes the body offered a part, or ended.
    func bodyReady(_ exchange: Exchange) {
        guard self.exchange === exchange else { return }
        pump()
    }

    /// Writes parts of the body while the stream accepts them.
    func pump() {
        guard let exchange, let context, hasBegun else { return }
        if writeParts(exchange, context: context) { context.flush() }
    }

    /// Writes parts of the body. Returns whether anything was written.
    @discardableResult
    private func writeParts(_ exchange: Exchange, context: ChannelHandlerContext) -> Bool {
        let body = exchange.request.body
        var hasWritten = false
        while context.channel.isWritable {
            switch upload.next(of: body, take: { mayTake(body) ? exchange.takeUpload() : .nothingYet }) {
            case .write(let bytes, let isLast):
                // A separate empty last frame is avoided where possible; see `FrameGuard.openEnds`.
                write(bytes, isLast: isLast, context: context)
            case .end:
                write([], isLast: true, context: context)
            case .read(let offset):
                read(at: offset, exchange, on: context.eventLoop)
                return hasWritten
            case .nothing:
                return hasWritten
            }
            hasWritten = true
        }
        return hasWritten
    }

    /// Returns whether the next part of a streamed body may be taken. A body of unknown length is sent only after the
    /// server has announced its window size.
    private func mayTake(_ body: PreparedBody) -> Bool {
        guard case .stream(nil) = body else { return true }
        guard let connection, connection.hasSettings else { return false }
        if !isOpenEnded {
            isOpenEnded = true
            connection.countOpenEnds(1)
        }
        return true
    }

    /// Records that the end of a body of unknown length reached the socket, or that the body is no longer sent.
    private func endOpenEnd() {
        guard isOpenEnded else { return }
        isOpenEnded = false
        connection?.countOpenEnds(-1)
    }

    private func write(_ bytes: ArraySlice<UInt8>, isLast: Bool, context: ChannelHandlerContext) {
        var buffer = context.channel.allocator.buffer(capacity: bytes.count)
        buffer.writeBytes(bytes)
        let count = Int64(bytes.count)
        upload.wrote()
        let promise = context.eventLoop.makePromise(of: Void.self)
        promise.futureResult.assumeIsolated().whenComplete { [self] result in
            upload.sent()
            guard case .success = result, let exchange = self.exchange, let now = self.context?.eventLoop.now
            else { return }
            if isLast { endOpenEnd() }
            timer.progressed(at: now)
            progress.sent += count
            if count > 0 { exchange.options.onProgress?(progress) }
        }
        context.write(wrapOutboundOut(.data(.init(data: .byteBuffer(buffer), endStream: isLast))), promise: promise)
    }

    private func read(at offset: Int64, _ exchange: Exchange, on loop: any EventLoop) {
        guard case .file(let file, let range) = exchange.request.body else { return }
        file.readPart(at: offset, of: range, upTo: RequestBodyMachine.partSize, on: loop) { [self] result in
            guard self.exchange === exchange, let context = self.context else { return }
            switch result {
            case .success(let bytes):
                guard case .write(let part, let isLast) = upload.read(bytes, of: exchange.request.body) else { return }
                write(part, isLast: isLast, context: context)
                context.flush()
                pump()
            case .failure(let error): fail(error)
            }
        }
    }
}
