import HTTPTypes
import HoldfastNIO
import NIOCore
import NIOHTTP1

/// Carries the exchanges of one connection: the driver of ``HTTP1Machine``. Confined to the channel's event loop.
final class HTTP1Handler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundIn = HTTPClientRequestPart
    typealias OutboundOut = HTTPClientRequestPart

    let pool: OriginPool
    let facts: ConnectionFacts
    private let boundary: ResponseBoundaryHandler
    /// Set by the connection; both let go of each other when the channel closes.
    var connection: HTTP1Connection?
    var context: ChannelHandlerContext?
    var machine: HTTP1Machine
    var exchange: Exchange?
    var upload = UploadState()
    var progress = TransferProgress()
    var timer = ConnectionTimer()
    private var trailers: HTTPFields?
    private var readIsPaused = false
    private var readIsDue = false

    init(pool: OriginPool, boundary: ResponseBoundaryHandler, facts: ConnectionFacts) {
        self.pool = pool
        self.boundary = boundary
        self.facts = facts
        self.machine = HTTP1Machine(maximumInformational: pool.configuration.limits.informationalResponses)
        self.timer.keepAlive = pool.configuration.keepAlive
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
    }

    // MARK: From the pool

    /// Carries an exchange.
    func start(_ exchange: Exchange) {
        let closed = TransportError(
            .connectionClosed, in: .waiting, "The connection was closed before it could be used.")
        // The channel was closed while the pool lent it: nothing has been sent. An exchange that is dropped here would
        // never end.
        guard let connection else { return retryOrFail(exchange, hasSent: false, closed) }
        guard exchange.attach(connection) else {
            // The caller has given up meanwhile.
            if !machine.isClosed { release() }
            return
        }
        guard let context,
            machine.begin(exchange.request.method, closesAfterwards: exchange.request.closesAfterwards)
        else { return retryOrFail(exchange, hasSent: false, closed) }
        self.exchange = exchange
        boundary.boundary.expect()
        progress = TransferProgress(toSend: exchange.request.body.length)
        timer.begin(exchange, at: context.eventLoop.now)
        armTimer()
        sendHead(exchange, context: context)
    }

    /// Waits for the next exchange.
    func park() {
        guard let context else { return }
        timer.park(at: context.eventLoop.now)
        armTimer()
    }

    /// The caller has given up.
    func abort(_ exchange: Exchange) {
        guard self.exchange === exchange else { return }
        self.exchange = nil
        _ = machine.failed()
        leave()
        cut()
    }

    /// Closes with a farewell.
    func close() {
        guard machine.failed() != .nothing else { return }
        leave()
        context?.close(promise: nil)
    }

    // MARK: From the channel

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard let exchange else { return }
        timer.progressed(at: context.eventLoop.now)
        do throws(TransportError) {
            switch unwrapInboundIn(data) {
            case .head(let head): try receive(head, exchange)
            case .body(let part): receive(part, exchange)
            case .end(let trailers): try receiveEnd(trailers)
            }
        } catch {
            fail(error)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        guard let reusable = machine.readCycleEnded(), let exchange else { return }
        self.exchange = nil
        // The connection is back in the pool before the caller is, who may ask for it at once.
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
        fail(
            TransportError(
                .connectionClosed, in: machine.phase,
                "The server closed the connection before the response was complete."))
        connection = nil
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        fail(TransportError(channel: error, in: machine.phase))
    }

    // MARK: Receiving

    private func receive(_ head: HTTPResponseHead, _ exchange: Exchange) throws(TransportError) {
        switch try machine.head(head) {
        case .skip:
            boundary.boundary.frameInformational()
        case .deliver(let framing):
            boundary.boundary.frame(framing)
            timer.limitKeepAlive(head.headers)
            var length: Int64?
            if case .length(let known) = framing { length = known }
            progress.toReceive = framing == .none ? 0 : length
            let response = try HTTPResponse(head)
            if !exchange.receive(response, length: length, facts: facts) {
                abort(exchange)
            }
        }
    }

    private func receive(_ part: ByteBuffer, _ exchange: Exchange) {
        progress.received += Int64(part.readableBytes)
        reportProgress(exchange)
        switch exchange.receive(part) {
        case true?: break
        case false?:
            readIsPaused = true
            timer.isPaused = true
        case nil: abort(exchange)
        }
    }

    private func receiveEnd(_ headers: HTTPHeaders?) throws(TransportError) {
        guard boundary.boundary.end(), machine.responseEnded() else {
            throw .malformed("The response can be read in two ways.")
        }
        trailers = try headers.map { headers throws(TransportError) in try HTTPFields(headers) }
    }

    /// The reader has room again.
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

    /// The exchange, if there is one, has failed; so has the connection.
    func fail(_ error: TransportError) {
        let action = machine.failed()
        guard action != .nothing else { return }
        let exchange = self.exchange
        self.exchange = nil
        leave()
        cut()
        guard let exchange else { return }
        switch action {
        case .completeExchange:
            exchange.complete(trailers: trailers)
        case .failExchange(let phase):
            var error = error
            if error.phase == .awaitingResponse || error.phase == .waiting { error.phase = phase }
            let isStale = machine.exchanges > 1 && !boundary.boundary.hasBegun && error.code == .connectionClosed
            if isStale {
                retryOrFail(exchange, hasSent: true, error)
            } else {
                exchange.detach()
                exchange.fail(error)
            }
        case .close, .nothing:
            break
        }
    }

    private func retryOrFail(_ exchange: Exchange, hasSent: Bool, _ error: TransportError) {
        if exchange.detachForRetry(hasSent: hasSent) {
            pool.submit(exchange, fresh: true)
        } else {
            exchange.detach()
            exchange.fail(error)
        }
    }

    private func release() {
        guard let connection else { return }
        if readIsPaused { unpause() }
        upload = UploadState()
        if let next = pool.released(connection) {
            start(next)
        } else {
            park()
        }
    }

    /// The pool is told that this connection serves no more.
    private func leave() {
        boundary.giveUp()
        timer.cancel()
        upload = UploadState()
        if readIsPaused { unpause() }
        if let connection { pool.gone(connection) }
    }

    private func cut() {
        context?.channel.cut()
    }

    func reportProgress(_ exchange: Exchange) {
        exchange.options.onProgress?(progress)
    }
}
