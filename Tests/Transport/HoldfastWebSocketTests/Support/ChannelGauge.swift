import NIOCore
import Synchronization

/// Counts the reads at the socket's end of a pipeline and holds back writes on request.
final class ChannelGauge: Sendable {
    private struct State {
        var reads = 0
        var holdsWrites = false
    }

    private let state = Mutex(State())

    var reads: Int { state.withLock { $0.reads } }

    func holdWrites() {
        state.withLock { $0.holdsWrites = true }
    }

    func handler() -> Handler { Handler(gauge: self) }

    /// The handler of one channel.
    final class Handler: ChannelDuplexHandler {
        typealias InboundIn = Any
        typealias OutboundIn = Any

        /// An event that releases the held writes and ends the holding.
        struct Release: Sendable {}

        private let gauge: ChannelGauge
        private var held: [(NIOAny, EventLoopPromise<Void>?)] = []

        init(gauge: ChannelGauge) {
            self.gauge = gauge
        }

        func read(context: ChannelHandlerContext) {
            gauge.state.withLock { $0.reads += 1 }
            context.read()
        }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            if gauge.state.withLock({ $0.holdsWrites }) {
                held.append((data, promise))
            } else {
                context.write(data, promise: promise)
            }
        }

        func triggerUserOutboundEvent(
            context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?
        ) {
            guard event is Release else { return context.triggerUserOutboundEvent(event, promise: promise) }
            gauge.state.withLock { $0.holdsWrites = false }
            let held = self.held
            self.held = []
            for (data, promise) in held { context.write(data, promise: promise) }
            context.flush()
            promise?.succeed()
        }
    }
}
