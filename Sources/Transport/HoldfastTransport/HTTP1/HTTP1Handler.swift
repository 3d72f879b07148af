import HTTPTypes
import HoldfastNIO
import NIOCore

/// Carries the exchanges of one connection: the driver of ``HTTP1Machine``. Confined to the channel's event loop.
final class HTTP1Handler: ChannelDuplexHandler, ConnectionHandler, ExchangeCarrier {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let pool: OriginPool
    private let facts: ConnectionFacts
    /// The pool's view of the connection. Both release each other when the channel closes.
    private var connection: PooledConnection?
    private var context: ChannelHandlerContext?
    private var machine = HTTP1Machine()
    private var exchange: Exchange?
    private var upload = RequestBodyMachine()
    /// Whether parts of a body are being written. Prevents code that runs during a flush from writing too.
    private var isPumping = false
    private var progress = TransferProgress()
    private var timer = ConnectionTimer()
    private var parser: ResponseParser
    private var trailers: HTTPFields?
    /// The reason why the connection ended between two exchanges.
    private var ending: TransportError?
    private var readIsPaused = false
    private var readIsDue = false
    /// Whether the connection was idle, so that the server may close it at the moment when it is used.
    private var hasBeenIdle = false

    init(pool: OriginPool, facts: ConnectionFacts) {
        self.pool = pool
        self.facts = facts
        self.parser = ResponseParser(limits: pool.configuration.limits)
        self.timer.keepAlive = pool.configuration.keepAlive
    }

    /// Adds the HTTP/1.1 handler to a new connection. Must be called on its event loop. Throws if the connection is
    /// closed.
    static func connection(_ dialled: Dialled, pool: OriginPool) throws -> PooledConnection {
        let handler = HTTP1Handler(pool: pool, facts: dialled.facts)
        try dialled.channel.pipeline.syncOperations.addHandler(handler)
        // The handler would not be notified of a close that has already happened.
        guard dialled.channel.isActive else { throw ChannelError.eof }
        let connection = PooledConnection(dialled.id, handler, on: dialled.channel.eventLoop)
        handler.connection = connection
        return connection
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        // A channel that is closed in the callbacks of its connect promise does not become inactive.
        connection = nil
    }

    // MARK: From the pool

    /// Starts an exchange.
    func start(_ exchange: Exchange) {
        // The channel was closed after the pool assigned it, and nothing was sent. An exchange that is not passed back
        // would never end.
        guard connection != nil, let context else { return pool.retryOrFail(exchange, hasSent: false, unusable) }
        guard exchange.attach(LoopHandle(self, on: context.eventLoop)) else {
            // The caller cancelled the exchange meanwhile.
            if !machine.isClosed { release() }
            return
        }
        guard machine.begin(closesAfterwards: exchange.request.closesAfterwards) else {
            return pool.retryOrFail(exchange, hasSent: false, unusable)
        }
        self.exchange = exchange
        parser.expect(exchange.request.method)
        trailers = nil
        progress = TransferProgress(toSend: exchange.request.body.length)
        timer.begin(exchange, at: context.eventLoop.now)
        armTimer()
        sendHead(exchange, context: context)
    }

    /// Waits for the next exchange.
    func park() {
        guard let context, !machine.isClosed else { return }
        hasBeenIdle = true
        timer.park(at: context.eventLoop.now)
        armTimer()
    }

    /// Ends an exchange that the caller ended.
    func abort(_ exchange: Exchange) {
        guard self.exchange === exchange else { return }
        self.exchange = nil
        _ = machine.failed()
        leave()
        context?.channel.cut()
    }

    /// Closes the connection with a TLS close alert.
    func close() {
        guard machine.failed() != .nothing else { return }
        leave()
        context?.close(promise: nil)
    }

    // MARK: From the channel

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !machine.isClosed else { return }
        timer.progressed(at: context.eventLoop.now)
        var buffer = unwrapInboundIn(data)
        do throws(TransportError) {
            // A caller that cancelled meanwhile has closed the machine.
            while !machine.isClosed, let event = try parser.next(&buffer) {
                switch event {
                case .informational(let head):
                    exchange?.options.onInformational?(head.response)
                    if head.status == 100, upload.asked() { pump() }
                case .head(let head, let framing): receive(head, framing)
                case .body(let part): receive(part)
                case .end(let trailers): receiveEnd(trailers)
                }
            }
        } catch {
            fail(error)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        guard let reusable = machine.readCycleEnded(), let exchange else { return }
        self.exchange = nil
        // The next exchange, which may start now, has its own trailers.
        let trailers = self.trailers
        // The connection returns to the pool before the caller continues, because the caller may need it at once.
        if reusable, timer.keepAlive > .zero {
            release()
        } else {
            leave()
            context.close(promise: nil)
        }
        exchange.complete(trailers: trailers)
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

    func channelInactive(context: ChannelHandlerContext) {
        if parser.connectionEnded() { receiveEnd(nil) }
        fail(.lost(in: machine.phase))
        connection = nil
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        fail(TransportError(channel: error, in: machine.phase))
    }

    // MARK: Receiving

    private func receive(_ head: ResponseHead, _ framing: ResponseFraming) {
        guard let exchange else { return }
        // After a 204 with an announced body, or an HTTP/1.0 response, the start of the next response is uncertain.
        machine.head(
            closes: head.closesConnection || framing == .untilClose || (head.status == 204 && head.announcesBody))
        timer.limitKeepAlive(head.fields)
        progress.toReceive = framing == .none ? 0 : framing.announcedLength
        // The server responded instead of asking for the body. The body is not sent, even after the wait for a `100`
        // response ends. The connection is closed, because the server may still expect the body.
        if upload.answered() { machine.head(closes: true) }
        exchange.receive(head.response, length: framing.announcedLength, facts: facts)
    }

    private func receive(_ part: ByteBuffer) {
        guard let exchange else { return }
        progress.received += Int64(part.readableBytes)
        exchange.options.onProgress?(progress)
        guard !exchange.receive(part) else { return }
        readIsPaused = true
        timer.isPaused = true
    }

    private func receiveEnd(_ trailers: HTTPFields?) {
        if machine.responseEnded() { self.trailers = trailers }
    }

    /// Resumes reading, because the reader has room again.
    func resumeReading(_ exchange: Exchange) {
        guard self.exchange === exchange, readIsPaused else { return }
        unpause()
    }

    private func unpause() {
        readIsPaused = false
        timer.isPaused = false
        guard let context else { return }
        timer.progressed(at: context.eventLoop.now)
        if readIsDue {
            readIsDue = false
            context.read()
        }
    }

    // MARK: Endings

    /// Fails the connection and its exchange, if any.
    func fail(_ error: TransportError) {
        let action = machine.failed()
        guard action != .nothing else { return }
        let exchange = self.exchange
        self.exchange = nil
        leave()
        context?.channel.cut()
        guard let exchange else {
            // An exchange may already be scheduled for this connection.
            ending = error
            return
        }
        switch action {
        case .completeExchange:
            exchange.complete(trailers: trailers)
        case .failExchange(let phase):
            var error = error
            if error.phase == .awaitingResponse || error.phase == .waiting { error.phase = phase }
            let mayBeStale = machine.exchanges > 1 || hasBeenIdle
            let isStale = mayBeStale && !parser.hasBegun && error.code == .connectionClosed
            if isStale {
                pool.retryOrFail(exchange, hasSent: true, error)
            } else {
                exchange.detach()
                exchange.fail(error)
            }
        case .close, .nothing:
            break
        }
    }

    private var unusable: TransportError { ending ?? .closedUnused }

    private func release() {
        guard let connection else { return }
        if readIsPaused { unpause() }
        forgetUpload()
        if let next = pool.released(connection) {
            start(next)
        } else {
            park()
        }
    }

    /// Removes this connection from the pool.
    private func leave() {
        parser.giveUp()
        timer.cancel()
        forgetUpload()
        if readIsPaused { unpause() }
        if let connection { pool.gone(connection) }
    }

    private func forgetUpload() {
        upload = RequestBodyMachine()
        isPumping = false
    }
}

// MARK: - Sending

extension HTTP1Handler {
    /// The size up to which head and body are sent in one write: one TLS record.
    static let smallBody = 16 * 1024
    /// The time that a body waits for a `100` response, as in curl. RFC 9110, 10.1.1 does not permit an indefinite
    /// wait.
    static let continueTimeout = TimeAmount.seconds(1)

    private func sendHead(_ exchange: Exchange, context: ChannelHandlerContext) {
        let request = exchange.request
        var smallBody: [UInt8]?
        if case .bytes(let bytes) = request.body, bytes.count <= Self.smallBody, !request.expectsContinue {
            smallBody = bytes
        }
        var buffer = context.channel.allocator.buffer(capacity: request.head.count + (smallBody?.count ?? 0))
        buffer.writeBytes(request.head)
        if let bytes = smallBody {
            buffer.writeBytes(bytes)
            write(buffer, bodyBytes: Int64(bytes.count), exchange, context: context)
            context.flush()
            return
        }
        if request.body.isAbsent {
            machine.requestEnded()
            context.writeAndFlush(wrapOutboundOut(buffer), promise: nil)
            return
        }
        upload.begin(asks: request.expectsContinue)
        context.write(wrapOutboundOut(buffer), promise: nil)
        if request.expectsContinue {
            // Many servers never send `100`, so the body is sent after a timeout.
            context.eventLoop.assumeIsolated().scheduleTask(in: Self.continueTimeout) { [self] in
                if self.exchange === exchange, upload.asked() { pump() }
            }
        }
        pump()
        context.flush()
    }

    /// Continues sending: the closure that writes the body offered a part, or ended.
    func bodyReady(_ exchange: Exchange) {
        guard self.exchange === exchange else { return }
        pump()
    }

    /// Writes parts of the body while the socket accepts them.
    ///
    /// Each part is flushed separately. TLS keeps unflushed data, and only data that TLS has passed on counts towards
    /// the socket's high-water mark. Otherwise a large body would be in memory twice, and its progress would be
    /// unknown.
    private func pump() {
        guard let exchange, let context, !isPumping else { return }
        isPumping = true
        // Code that runs during a flush may end the exchange and start the next one.
        while self.exchange === exchange, context.channel.isWritable {
            let step = upload.next(of: exchange.request.body, take: exchange.takeUpload)
            if case .nothing = step { break }
            if case .read(let offset) = step {
                read(at: offset, exchange, on: context.eventLoop)
                break
            }
            write(step, exchange, context: context)
        }
        if self.exchange === exchange { isPumping = false }
    }

    /// Writes and flushes a part of the body, or its end.
    private func write(_ step: RequestBodyMachine.Step, _ exchange: Exchange, context: ChannelHandlerContext) {
        let isChunked = exchange.request.body.length == nil
        switch step {
        case .write(let bytes, _):
            var buffer = context.channel.allocator.buffer(capacity: bytes.count + 16)
            if isChunked { buffer.writeString(String(bytes.count, radix: 16) + "\r\n") }
            buffer.writeBytes(bytes)
            if isChunked { buffer.writeString("\r\n") }
            write(buffer, bodyBytes: Int64(bytes.count), exchange, context: context)
        case .end where isChunked:
            write(ByteBuffer(string: "0\r\n\r\n"), bodyBytes: 0, exchange, context: context)
        case .end:
            endRequestIfSent()
        case .read, .nothing:
            return
        }
        context.flush()
    }

    private func write(
        _ buffer: ByteBuffer, bodyBytes: Int64, _ exchange: Exchange, context: ChannelHandlerContext
    ) {
        let promise = context.eventLoop.makePromise(of: Void.self)
        promise.futureResult.assumeIsolated().whenSuccess { [self] in
            guard self.exchange === exchange, let now = self.context?.eventLoop.now else { return }
            timer.progressed(at: now)
            progress.sent += bodyBytes
            upload.sent()
            endRequestIfSent()
            if bodyBytes > 0 { exchange.options.onProgress?(progress) }
        }
        upload.wrote()
        context.write(wrapOutboundOut(buffer), promise: promise)
    }

    /// Ends the request when the socket has accepted its last byte. Until then, a response does not free the
    /// connection: the next request would follow body bytes that the server may parse as requests.
    private func endRequestIfSent() {
        if upload.isSent { machine.requestEnded() }
    }

    private func read(at offset: Int64, _ exchange: Exchange, on loop: any EventLoop) {
        guard case .file(let file, let range) = exchange.request.body else { return }
        file.readPart(at: offset, of: range, upTo: RequestBodyMachine.partSize, on: loop) { [self] result in
            guard self.exchange === exchange, let context = self.context else { return }
            switch result {
            case .success(let bytes):
                write(upload.read(bytes, of: exchange.request.body), exchange, context: context)
                pump()
            case .failure(let error): fail(error)
            }
        }
    }
}

// MARK: - Time

extension HTTP1Handler: NIOScheduledCallbackHandler {
    /// Sets the timer for the next deadline.
    private func armTimer() {
        guard let context else { return }
        timer.arm(self, on: context, firing: false)
    }

    func handleScheduledCallback(eventLoop: some EventLoop) {
        switch timer.due(at: eventLoop.now) {
        case .total:
            fail(.totalTimeIsUp)
        case .idle:
            let phase = machine.phase
            fail(TransportError(.timedOut, in: phase, "No data was transferred within the idle timeout (\(phase))."))
        case .keepAlive:
            if let connection, pool.expire(connection) { return close() }
            // The pool has just assigned the connection. The exchange sets its own deadlines.
            timer.lent()
        case nil:
            break
        }
        guard let context, !machine.isClosed else { return }
        timer.arm(self, on: context, firing: true)
    }
}
