import HoldfastTrust
public import NIOCore

/// A channel handler that adds TLS with Holdfast's server verification. Made by
/// ``PinnedTLSHandlerFactory/makeHandler(host:port:onOutcome:)``.
///
/// When added, it inserts the handlers of ``PinnedTLSHandlerFactory/addHandlers(to:host:port:position:)`` directly
/// behind itself. If that fails, it closes the channel, so no cleartext is ever sent.
public final class PinnedTLSHandler: ChannelInboundHandler, RemovableChannelHandler {
    /// The inbound type, passed through unchanged.
    public typealias InboundIn = ByteBuffer
    /// The outbound type of inbound data, passed through unchanged.
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

    /// Inserts the TLS handlers behind this one, or closes the channel if that fails.
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
