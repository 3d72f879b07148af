public import HoldfastTrust
public import NIOCore
import NIOSSL

/// Puts TLS that Holdfast judges into any NIO pipeline.
///
/// ```swift
/// let tls = try PinnedTLSHandlerFactory(trust: .policy(policy))
/// let bootstrap = ClientBootstrap(group: group).channelInitializer { channel in
///     channel.eventLoop.makeCompletedFuture {
///         try tls.addHandlers(to: channel.pipeline.syncOperations, host: CanonicalHost("chat.example.com"), port: 443)
///         // … your own handlers
///     }
/// }
/// ```
/// `TLSUserEvent.handshakeCompleted` reaches your handlers only when the server was accepted. A refused server shows as
/// one error, a `TrustRefusal` with the verdict; a handshake that failed otherwise as a ``HandshakeFailure``; then the
/// channel closes. A channel whose peer has closed it is torn down before a judgement under way has ended:
/// ``PinnedHandshake/outcome`` is told the verdict even then. Floor: TLS 1.2, ECDHE with AEAD (RFC 9325).
public struct PinnedTLSHandlerFactory: Sendable {
    private let context: NIOSSLContext
    private let trust: TrustContext
    private let clock: TrustClock
    private let deadline: Duration
    private let metrics: TLSMetrics?

    /// Makes a factory.
    ///
    /// - Parameters:
    ///   - trust: What judges the server.
    ///   - applicationProtocols: What to offer by ALPN (RFC 7301), most wanted first.
    ///   - clock: Where the time of a judgement comes from.
    ///   - deadline: How long a handshake may take, verification included.
    ///   - options: A client certificate, and what else there is beside the judgement.
    /// - Throws: ``TLSSetupError`` for an application protocol of no or of more than 255 bytes, or if the TLS library
    ///   cannot be set up.
    public init(
        trust: TrustContext, applicationProtocols: [String] = [], clock: TrustClock = .system,
        deadline: Duration = .seconds(30), options: TLSClientOptions = .standard
    ) throws(TLSSetupError) {
        try self.init(
            trust: trust, applicationProtocols: applicationProtocols, clock: clock, deadline: deadline,
            options: options, metrics: options.metrics)
    }

    /// `metrics` takes the place of those of the options.
    package init(
        trust: TrustContext, applicationProtocols: [String], clock: TrustClock, deadline: Duration,
        options: TLSClientOptions = .standard, metrics: TLSMetrics?
    ) throws(TLSSetupError) {
        for name in applicationProtocols where !(1...255).contains(name.utf8.count) {
            throw TLSSetupError(
                .applicationProtocol, "An application protocol has 1 to 255 bytes; \"\(name)\" has \(name.utf8.count).")
        }
        do {
            self.context = try options.context(applicationProtocols: applicationProtocols)
        } catch {
            throw TLSSetupError(.context, "The TLS library could not be set up: \(error).")
        }
        self.trust = trust
        self.clock = clock
        self.deadline = deadline
        self.metrics = metrics
    }

    /// Adds the handlers, by default at the pipeline's present end. Call it on the channel's event loop, before anything
    /// is sent.
    ///
    /// `position` is for pipelines that are complete already: `.first` puts TLS under all that is there. The name that is
    /// sent to the server, and that its certificate is judged for, is `host`, whatever address the socket is connected to.
    /// No name is sent for an IP literal (RFC 6066, 3).
    ///
    /// - Throws: What NIO throws when the pipeline no longer takes handlers.
    @discardableResult
    public func addHandlers(
        to pipeline: ChannelPipeline.SynchronousOperations, host: CanonicalHost, port: UInt16? = nil,
        position: ChannelPipeline.SynchronousOperations.Position = .last
    ) throws -> PinnedHandshake {
        let loop = pipeline.eventLoop
        let gate = VerificationGate(
            trust: trust, subject: TrustSubject(host: host, port: port), clock: clock, eventLoop: loop,
            metrics: metrics)
        let observer = ServerHelloObserver(gate: gate)
        let tls = try NIOSSLClientHandler(
            context: context, serverHostname: host.isIPLiteral ? nil : host.text,
            customVerificationCallback: { chain, promise in gate.verify(chain, promise) })
        let outcome = loop.makePromise(of: TLSFacts.self)
        do {
            let guardian = HandshakeGuard(
                gate: gate, observer: observer, tls: tls, deadline: deadline, outcome: outcome, metrics: metrics)
            try pipeline.addHandlers([observer, tls, guardian], position: position)
        } catch {
            outcome.fail(error)
            throw error
        }
        return PinnedHandshake(gate: gate, outcome: outcome.futureResult)
    }

    /// One handler that adds all of them behind itself, for code that takes a handler rather than a pipeline. For one
    /// connection, like any stateful handler. Call it on any thread.
    ///
    /// `onOutcome` gets what ``PinnedHandshake/outcome`` comes to, on the event loop.
    public func makeHandler(
        host: CanonicalHost, port: UInt16? = nil,
        onOutcome: (@Sendable (Result<TLSFacts, any Error>) -> Void)? = nil
    ) -> PinnedTLSHandler {
        PinnedTLSHandler(
            client: self, host: host, port: port,
            onOutcome: onOutcome.map { told in { @Sendable _, result in told(result) } })
    }
}
