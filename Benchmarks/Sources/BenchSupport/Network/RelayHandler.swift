import DequeModule
import NIOCore

/// One direction of a connection through a ``Relay``.
///
/// The handler reads only when it has forwarded everything, so that a slow network slows down the sender.
final class RelayHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private enum Item {
        case bytes(ByteBuffer)
        case end
    }

    private let connection: RelayConnection
    private let hub: RelayHub
    private let partner: any Channel
    private let isUp: Bool
    /// The handler of the other direction, which may read when this channel can take more.
    weak var opposite: RelayHandler?

    private var context: ChannelHandlerContext?
    /// The bytes that wait for the link.
    private var unsent = ByteBuffer()
    private var isEnding = false
    private var isWaitingForLink = false
    /// The delayed items, in order. A timer only triggers the delivery of the first item.
    private var delayed: Deque<Item> = []
    private var lastDue = NIODeadline.now()
    /// The bytes that have no acknowledgement yet, and their maximum number.
    private var inFlight = 0
    private var window: Int

    init(_ connection: RelayConnection, _ hub: RelayHub, to partner: any Channel, isUp: Bool) {
        self.connection = connection
        self.hub = hub
        self.partner = partner
        self.isUp = isUp
        window = hub.network.initialWindow ?? .max
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        if context.channel.isActive { start() }
    }

    func channelActive(context: ChannelHandlerContext) {
        start()
        context.fireChannelActive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var buffer = unwrapInboundIn(data)
        hub.traffic.passed(buffer.readableBytes, isUp: isUp)
        if unsent.readableBytes == 0 { unsent = buffer } else { unsent.writeBuffer(&buffer) }
        pump()
    }

    func channelReadComplete(context: ChannelHandlerContext) { readMore() }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { opposite?.readMore() }
        context.fireChannelWritabilityChanged()
    }

    func channelInactive(context: ChannelHandlerContext) {
        isEnding = true
        connection.closed()
        pump()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    /// Starts to read, as soon as the network forwards bytes. Before it is active, a channel cannot read.
    private func start() {
        guard NIODeadline.now() < connection.opensAt else { return readMore() }
        after(connection.opensAt) { $0.readMore() }
    }

    // MARK: Sending

    private func pump() {
        guard !connection.isReset, !isWaitingForLink else { return }
        let link = isUp ? hub.up : hub.down
        while unsent.readableBytes > 0 {
            guard inFlight < window, !isUp || hub.isOpenUpwards else { return }
            guard link.isFree else {
                isWaitingForLink = true
                return link.wait { [self] in
                    isWaitingForLink = false
                    sendPortion(over: link)
                    pump()
                }
            }
            sendPortion(over: link)
        }
        if isEnding {
            isEnding = false
            send(.end, passedAt: .now())
        } else {
            readMore()
        }
    }

    private func sendPortion(over link: NetworkLink) {
        let length = min(unsent.readableBytes, link.portion)
        guard !connection.isReset, length > 0, let portion = unsent.readSlice(length: length) else { return }
        inFlight += length
        send(.bytes(portion), passedAt: link.transmit(length))
    }

    private func send(_ item: Item, passedAt: NIODeadline) {
        delayed.append(item)
        guard hub.delay > .zero || hub.network.rate != nil else { return deliver() }
        lastDue = max(lastDue, passedAt + hub.delay)
        after(lastDue) { $0.deliver() }
    }

    private func deliver() {
        guard !connection.isReset else { return delayed.removeAll() }
        switch delayed.popFirst() {
        case .bytes(let buffer):
            let length = buffer.readableBytes
            partner.writeAndFlush(buffer, promise: nil)
            if hub.network.initialWindow == nil {
                inFlight -= length
            } else {
                after(.now() + hub.delay) { $0.acknowledged(length) }
            }
            if isUp { hub.delivered(length) }
        case .end:
            partner.close(promise: nil)
        case nil: break
        }
    }

    private func acknowledged(_ length: Int) {
        inFlight -= length
        // The limit prevents an overflow. No simulated network needs as much.
        window = min(window + length, 1 << 30)
        pump()
    }

    // MARK: Reading

    private func readMore() {
        guard let context, !connection.isReset, unsent.readableBytes == 0, !isEnding else { return }
        guard partner.isWritable, !isUp || hub.isOpenUpwards, NIODeadline.now() >= connection.opensAt else { return }
        context.read()
    }

    private func after(_ time: NIODeadline, _ body: @escaping @Sendable (RelayHandler) -> Void) {
        let handler = NIOLoopBound(self, eventLoop: partner.eventLoop)
        partner.eventLoop.scheduleTask(deadline: time) { body(handler.value) }
    }
}
