import HoldfastTrust
public import NIOCore

/// TLS that Holdfast judges, as one channel handler. Made by ``PinnedTLSHandlerFactory/makeHandler(host:port:onOutcome:)``.
///
/// It adds the handlers of ``PinnedTLSHandlerFactory/addHandlers(to:host:port:position:)`` right behind itself and does nothing
/// else. If they cannot be added the channel is closed: nothing is ever sent in cleartext through it.
public final class PinnedTLSHandler: ChannelInboundHandler, RemovableChannelHandler {
    public typealias InboundIn = ByteBuffer
    public typealias InboundOut = ByteBuffer

    private let client: PinnedTLSHandlerFactory
    private let host: CanonicalHost
    private let port: UInt16?
    private let onOutcome: (@Sendable (any Channel, Result<TLSFacts, any Error>) -> Void)?

    init(
        client: PinnedTLSHandlerFactory, host: CanonicalHost, port: UInt16?,
        onOutcome: (@Sendable (any Channel, Result<TLSFacts, any Error>) -> Void)?
    ) {
        self.client = client
        self.host = host
        self.port = port
        self.onOutcome = onOutcome
    }

    public func handlerAdded(context: ChannelHandlerContext) {
        let channel = context.channel
        do {
            let handshake = try client.addHandlers(
                to: context.pipeline.syncOperations, host: host, port: port, position: .after(self))
            if let onOutcome { handshake.outcome.whenComplete { onOutcome(channel, $0) } }
        } catch {
            onOutcome?(channel, .failure(error))
            context.fireErrorCaught(error)
            context.close(promise: nil)
        }
    }
}
