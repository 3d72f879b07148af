public import HoldfastTrust
public import NIOCore

/// TLS that Holdfast judges, for swift-nio's universal bootstrap.
///
/// ```swift
/// let tls = try PinnedTLSHandlerFactory(trust: .policy(policy))
/// let provider = PinnedTLSProvider<ClientBootstrap>(tls, host: host, port: 443)
/// let bootstrap = NIOClientTCPBootstrap(ClientBootstrap(group: group), tls: provider).enableTLS()
/// ```
/// One provider is for one host: connect the bootstrap to that host, or to an address of it. What is judged is the
/// certificate for `host`, whatever the bootstrap connects to, so that a mistake there refuses the server.
public struct PinnedTLSProvider<Bootstrap: NIOClientTCPBootstrapProtocol>: NIOClientTLSProvider {
    private let makeHandler: @Sendable () -> PinnedTLSHandler

    /// Makes a provider. `onOutcome` is told what became of each handshake, and on which channel, on its event loop.
    ///
    /// Happy Eyeballs may begin several for one connection, and the ones it gives up fail: what counts is the outcome of the
    /// channel that `connect` returns.
    public init(
        _ client: PinnedTLSHandlerFactory, host: CanonicalHost, port: UInt16? = nil,
        onOutcome: (@Sendable (any Channel, Result<TLSFacts, any Error>) -> Void)? = nil
    ) {
        makeHandler = { PinnedTLSHandler(client: client, host: host, port: port, onOutcome: onOutcome) }
    }

    /// Puts TLS under the handlers of the bootstrap's channels. Called by `NIOClientTCPBootstrap.enableTLS()`.
    public func enableTLS(_ bootstrap: Bootstrap) -> Bootstrap {
        bootstrap.protocolHandlers { [makeHandler] in [makeHandler()] }
    }
}
