import NIOCore

/// One connection of ``LoadGenerator``.
final class LoadHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let load: LoadGenerator
    private let connection: Int
    private var order: LoadGenerator.Order?
    private var received = ByteBuffer()
    private var hasEnded = false

    init(_ load: LoadGenerator, connection: Int, order: LoadGenerator.Order?) {
        self.load = load
        self.connection = connection
        self.order = order
    }

    func channelActive(context: ChannelHandlerContext) {
        send(context)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var part = unwrapInboundIn(data)
        if received.readableBytes == 0 { received = part } else { received.writeBuffer(&part) }
        do {
            while let response = try RawResponse.take(from: &received) { answered(response, context) }
        } catch {
            fail("\(error)", context)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        guard !hasEnded else { return }
        load.tally.lostConnection()
        again(context)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // The connection was reset. `channelInactive` follows.
        context.close(promise: nil)
    }

    /// Sends the unfinished report, or the next one when it is due.
    private func send(_ context: ChannelHandlerContext) {
        guard let order = order ?? load.nextOrder() else { return end(context) }
        self.order = order
        guard order.due > .now() else { return write(order, context) }
        let loop = context.eventLoop.assumeIsolated()
        loop.scheduleTask(deadline: order.due) {
            if !self.hasEnded, context.channel.isActive { self.write(order, context) }
        }
    }

    private func write(_ order: LoadGenerator.Order, _ context: ChannelHandlerContext) {
        let request = load.templates.request(order.number, incident: order.incident)
        context.writeAndFlush(wrapOutboundOut(request), promise: nil)
    }

    private func answered(_ response: RawResponse, _ context: ChannelHandlerContext) {
        guard let order else { return fail("an answer without a request", context) }
        switch response.status {
        case 200, 201:
            guard let id = response.reportID else { return fail("an answer without the report's number", context) }
            load.tally.stored(order.number, id: id, isRepeated: response.status == 200, due: order.due)
            self.order = nil
            send(context)
        case 429, 503:
            load.tally.refused()
            let loop = context.eventLoop.assumeIsolated()
            loop.scheduleTask(in: LoadGenerator.pause) {
                if !self.hasEnded, context.channel.isActive { self.write(order, context) }
            }
        default:
            fail("a report was answered with \(response.status): \(String(buffer: response.body))", context)
        }
    }

    private func again(_ context: ChannelHandlerContext) {
        hasEnded = true
        let (load, connection, order) = (load, connection, order)
        context.eventLoop.scheduleTask(in: LoadGenerator.pause) { load.connect(connection, order: order) }
    }

    private func fail(_ reason: String, _ context: ChannelHandlerContext) {
        load.tally.failed(reason)
        end(context)
    }

    private func end(_ context: ChannelHandlerContext) {
        guard !hasEnded else { return }
        hasEnded = true
        load.ended()
        context.close(promise: nil)
    }
}
