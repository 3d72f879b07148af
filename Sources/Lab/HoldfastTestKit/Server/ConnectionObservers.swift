import NIOCore
import NIOTLS

/// Records how a client starts a connection to a TLS server. It is placed below the TLS handler.
final class WireObserver: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// The content type of a TLS record that contains handshake messages (RFC 8446, 5.1).
    private static let handshakeRecord: UInt8 = 22

    private let number: Int
    private let record: LoopbackRecord
    private var isTLS: Bool?

    init(_ number: Int, _ record: LoopbackRecord) {
        self.number = number
        self.record = record
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        if isTLS == nil, let first = bytes.readableBytesView.first {
            let isTLS = first == Self.handshakeRecord
            self.isTLS = isTLS
            if isTLS { record.note(number) { $0.startedTLS = true } }
        }
        if isTLS == false { record.note(number) { $0.cleartextBytes += bytes.readableBytes } }
        context.fireChannelRead(data)
    }
}

/// Records the end of the handshake and the bytes that a client sends inside TLS. It is placed above the TLS handler,
/// and closes the connection after an error.
final class ApplicationObserver: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let number: Int
    private let record: LoopbackRecord

    init(_ number: Int, _ record: LoopbackRecord) {
        self.number = number
        self.record = record
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let count = unwrapInboundIn(data).readableBytes
        record.note(number) { $0.applicationBytes += count }
        context.fireChannelRead(data)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case TLSUserEvent.handshakeCompleted? = event as? TLSUserEvent {
            record.note(number) { $0.completedTLS = true }
        }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}

/// Applies a fault to a connection before TLS and HTTP. It is the only handler of the connection.
final class FaultyConnection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let fault: ConnectionFault

    init(_ fault: ConnectionFault) {
        self.fault = fault
    }

    func channelActive(context: ChannelHandlerContext) {
        if fault != .silence { context.channel.closeBelowTLS(resets: fault == .reset) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {}

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
