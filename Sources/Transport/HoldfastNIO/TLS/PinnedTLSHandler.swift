public import HoldfastTrust
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

/// A TLS provider for swift-nio's universal bootstrap that verifies servers with a Holdfast trust context.
///
/// ```swift
/// let tls = try PinnedTLSHandlerFactory(trust: .policy(policy))
/// let provider = PinnedTLSProvider<ClientBootstrap>(tls, host: host, port: 443)
/// let bootstrap = NIOClientTCPBootstrap(ClientBootstrap(group: group), tls: provider).enableTLS()
/// ```
/// A provider serves one host. Connect the bootstrap to that host or to one of its addresses. The certificate is always
/// verified for `host`, whatever the bootstrap connects to, so a wrong address fails the handshake.
public struct PinnedTLSProvider<Bootstrap: NIOClientTCPBootstrapProtocol>: NIOClientTLSProvider {
    private let makeHandler: @Sendable () -> PinnedTLSHandler

    /// Makes a provider.
    ///
    /// - Parameters:
    ///   - client: The factory that makes the TLS handlers.
    ///   - host: The host whose certificate is verified.
    ///   - port: The port that verdicts and reports mention.
    ///   - onOutcome: Called with each handshake's channel and outcome, on the channel's event loop.
    ///
    /// Happy Eyeballs may start several handshakes for one connection, and the abandoned ones fail. Use the outcome of
    /// the channel that `connect` returns.
    public init(
        _ client: PinnedTLSHandlerFactory, host: CanonicalHost, port: UInt16? = nil,
        onOutcome: (@Sendable (any Channel, Result<TLSFacts, any Error>) -> Void)? = nil
    ) {
        makeHandler = { PinnedTLSHandler(client: client, host: host, port: port, onOutcome: onOutcome) }
    }

    /// Adds TLS below the handlers of the bootstrap's channels. Called by `NIOClientTCPBootstrap.enableTLS()`.
    public func enableTLS(_ bootstrap: Bootstrap) -> Bootstrap {
        bootstrap.protocolHandlers { [makeHandler] in [makeHandler()] }
    }
}
