import NIOCore
import NIOTLS
import Synchronization

/// Records what reaches the end of a pipeline: errors and handshake events.
final class ErrorLog: Sendable {
    private let state = Mutex<(errors: [any Error], handshakes: Int, inactive: Bool)>(([], 0, false))

    var errors: [any Error] { state.withLock { $0.errors } }
    var handshakes: Int { state.withLock { $0.handshakes } }
    var isInactive: Bool { state.withLock { $0.inactive } }

    /// A flag that can be set once.
    final class Flag: Sendable {
        private let value = Mutex(false)
        var isSet: Bool { value.withLock { $0 } }
        func set() { value.withLock { $0 = true } }
    }

    func handler() -> some ChannelInboundHandler { Handler(self) }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private let log: ErrorLog

        init(_ log: ErrorLog) {
            self.log = log
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            log.state.withLock { $0.errors.append(error) }
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if case TLSUserEvent.handshakeCompleted? = event as? TLSUserEvent {
                log.state.withLock { $0.handshakes += 1 }
            }
            context.fireUserInboundEventTriggered(event)
        }

        func channelInactive(context: ChannelHandlerContext) {
            log.state.withLock { $0.inactive = true }
        }
    }
}
