public import HoldfastTrust
public import NIOCore
import NIOSSL

/// Adds TLS with Holdfast's server verification to any NIO pipeline.
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
/// `TLSUserEvent.handshakeCompleted` reaches your handlers only after the server was accepted. After a failed
/// handshake, your handlers receive one error and the channel closes. The error is a `TrustRefusal` with the verdict if
/// the server was refused, otherwise a ``HandshakeFailure``.
///
/// If the peer closes the connection during an evaluation, the channel is torn down first. ``PinnedHandshake/outcome``
/// still receives the verdict.
///
/// Connections use TLS 1.2 or later with ECDHE and AEAD cipher suites (RFC 9325).
public struct PinnedTLSHandlerFactory: Sendable {
    private let context: NIOSSLContext
    private let trust: TrustContext
    private let clock: TrustClock
    private let deadline: Duration
    private let metrics: TLSMetrics?

    /// Makes a factory.
    ///
    /// - Parameters:
    ///   - trust: The context that evaluates servers.
    ///   - applicationProtocols: The protocols to offer by ALPN (RFC 7301), in order of preference.
    ///   - clock: The source of the time for evaluations.
    ///   - deadline: The maximum duration of a handshake, verification included.
    ///   - options: The client certificate and other TLS settings.
    /// - Throws: ``TLSSetupError`` if an application protocol is empty or longer than 255 bytes, or if the TLS library
    ///   rejects its configuration.
    public init(
        trust: TrustContext, applicationProtocols: [String] = [], clock: TrustClock = .system,
        deadline: Duration = .seconds(30), options: TLSClientOptions = .standard
    ) throws(TLSSetupError) {
        try self.init(
            trust: trust, applicationProtocols: applicationProtocols, clock: clock, deadline: deadline,
            options: options, metrics: options.metrics)
    }

    /// Makes a factory with `metrics` instead of the metrics in `options`.
    package init(
        trust: TrustContext, applicationProtocols: [String], clock: TrustClock, deadline: Duration,
        options: TLSClientOptions = .standard, metrics: TLSMetrics?
    ) throws(TLSSetupError) {
        for name in applicationProtocols where !(1...255).contains(name.utf8.count) {
            throw TLSSetupError(
                .applicationProtocol,
                "Application protocol \"\(name)\" has \(name.utf8.count) bytes; 1 to 255 are allowed.")
        }
        do {
            self.context = try options.context(applicationProtocols: applicationProtocols)
        } catch {
            throw TLSSetupError(.context, "The TLS library rejected its configuration: \(error).")
        }
        self.trust = trust
        self.clock = clock
        self.deadline = deadline
        self.metrics = metrics
    }

    /// Adds the TLS handlers to a pipeline.
    ///
    /// Call this method on the channel's event loop, before anything is sent.
    ///
    /// - Parameters:
    ///   - pipeline: The pipeline that receives the handlers.
    ///   - host: The host whose certificate is verified, whatever address the socket is connected to. It is also sent
    ///     as the server name, unless it is an IP literal (RFC 6066, 3).
    ///   - port: The port that verdicts and reports mention.
    ///   - position: Where to insert the handlers; by default at the end. Use `.first` to put TLS below the handlers of
    ///     a complete pipeline.
    /// - Returns: The handshake with its outcome.
    /// - Throws: The NIO error if the pipeline no longer accepts handlers.
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

    /// Makes one handler that adds the TLS handlers behind itself, for APIs that take a handler instead of a pipeline.
    ///
    /// Use the handler for one connection only. Callable from any thread.
    ///
    /// - Parameters:
    ///   - host: The host whose certificate is verified.
    ///   - port: The port that verdicts and reports mention.
    ///   - onOutcome: Called with the result of ``PinnedHandshake/outcome``, on the event loop.
    public func makeHandler(
        host: CanonicalHost, port: UInt16? = nil,
        onOutcome: (@Sendable (Result<TLSFacts, any Error>) -> Void)? = nil
    ) -> PinnedTLSHandler {
        PinnedTLSHandler(
            client: self, host: host, port: port,
            onOutcome: onOutcome.map { told in { @Sendable _, result in told(result) } })
    }
}

/// A handshake that ``PinnedTLSHandlerFactory`` has set up on a channel.
public struct PinnedHandshake: Sendable {
    /// The gate that holds the verdict as soon as there is one.
    public let gate: VerificationGate
    /// The outcome of the handshake: its facts, or an error.
    ///
    /// The error is a `TrustRefusal` (from HoldfastTrust) with the verdict, or a ``HandshakeFailure``. A refusal takes
    /// precedence over every other failure of the channel. The outcome waits for a running evaluation.
    public let outcome: EventLoopFuture<TLSFacts>
}

/// The facts of a successful handshake.
public struct TLSFacts: Sendable {
    /// The verdict on the server. It permits the connection.
    public var verdict: TrustVerdict
    /// The certificate chain that the server sent.
    public var presented: PresentedChain
    /// The TLS version: `TLSv1.2` or `TLSv1.3`.
    public var version: String?
    /// The IANA name of the cipher suite.
    public var cipherSuite: String?
    /// The application protocol negotiated by ALPN.
    public var applicationProtocol: String?
}

/// A failure to set up TLS locally, before any connection.
///
/// - Remedy: Correct the configuration that the reason names.
public struct TLSSetupError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure. Raw values are stable and safe as metric labels. New codes may be added, so handle unknown
    /// ones.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The stable name of the code.
        public let rawValue: String
        /// Makes a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The stable name of the code.
        public var description: String { rawValue }

        /// The name of an application protocol is empty or longer than 255 bytes.
        public static let applicationProtocol = Code(rawValue: "applicationProtocol")
        /// The TLS library rejected its configuration.
        public static let context = Code(rawValue: "context")
    }

    /// The kind of failure.
    public var code: Code
    /// A human-readable description in one sentence.
    public var reason: String

    /// Makes an error from its code and its description.
    public init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    /// The reason.
    public var description: String { reason }
}
