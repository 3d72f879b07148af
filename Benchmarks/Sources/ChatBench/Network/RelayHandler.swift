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
    /// What is on its way, in order. Timers say when the next one is due, not which.
    private var underWay: Deque<Item> = []

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
        underWay.append(item)
        guard delay > .zero else { return deliver() }
        let due = max(NIODeadline.now(), opensAt) + delay
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(deadline: due) { handler.value.deliver() }
    }

    private func deliver() {
        switch underWay.popFirst() {
        case .bytes(let buffer): partner.writeAndFlush(buffer, promise: nil)
        case .end: partner.close(promise: nil)
        case nil: break
        }
    }
}
