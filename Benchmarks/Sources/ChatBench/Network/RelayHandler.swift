import DequeModule
import NIOCore

/// One direction of a connection through a ``Relay``.
final class RelayHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private enum Item {
        case bytes(ByteBuffer)
        case end
    }

    private let partner: any Channel
    private let delay: TimeAmount
    private let opensAt: NIODeadline
    private let traffic: Traffic
    private let isUp: Bool
    /// The delayed items, in order. A timer only triggers the delivery of the first item.
    private var delayed: Deque<Item> = []

    init(to partner: any Channel, delay: TimeAmount, from opensAt: NIODeadline, _ traffic: Traffic, isUp: Bool) {
        self.partner = partner
        self.delay = delay
        self.opensAt = opensAt
        self.traffic = traffic
        self.isUp = isUp
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let buffer = unwrapInboundIn(data)
        traffic.passed(buffer.readableBytes, isUp: isUp)
        send(.bytes(buffer), context)
    }

    func channelInactive(context: ChannelHandlerContext) {
        send(.end, context)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    private func send(_ item: Item, _ context: ChannelHandlerContext) {
        delayed.append(item)
        guard delay > .zero else { return deliver() }
        let due = max(NIODeadline.now(), opensAt) + delay
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(deadline: due) { handler.value.deliver() }
    }

    private func deliver() {
        switch delayed.popFirst() {
        case .bytes(let buffer): partner.writeAndFlush(buffer, promise: nil)
        case .end: partner.close(promise: nil)
        case nil: break
        }
    }
}
