#if canImport(FoundationNetworking)
public import Foundation
public import FoundationNetworking
public import HoldfastTransport
public import HoldfastTrust
public import Logging

/// Adds the initializers of pinned sessions to `URLSession`, but not to its subclasses.
public protocol PinnedSessionMaking {}

extension URLSession: PinnedSessionMaking {}

extension PinnedSessionMaking where Self == URLSession {
    /// Makes a session whose connections are verified by a policy and then by the session's delegate.
    ///
    /// ```swift
    /// let session = URLSession(pinnedBy: policy, configuration: .default, delegate: self, delegateQueue: queue)
    /// let (data, response) = try await session.data(from: url)
    /// ```
    /// The pins come first: if they refuse a server, no delegate is asked.
    /// `TrustContext.delegate(_:of:task:policy:anchors:logs:certificatePolicies:logger:)` describes the effect of the
    /// delegate's answers. A challenge that is not answered within `TransportConfiguration.tlsTimeout` refuses the
    /// server.
    ///
    /// Tasks report a refused server as a `URLError` with the code `serverCertificateUntrusted`, or `cancelled` if the
    /// delegate refused it. Its `trustVerdict` contains the reason. See <doc:Pinned-URLSession> for the supported
    /// and unsupported features.
    ///
    /// - Parameters:
    ///   - policy: The pins. For hosts without pins, the system verification or the delegate decides.
    ///   - configuration: Copied. An unsupported property makes every task fail with ``UnsupportedConfigurationError``
    ///     inside the `URLError`.
    ///   - delegate: Retained until the session is invalidated, as for every session.
    ///   - delegateQueue: The queue for delegate calls; by default a new serial queue.
    ///   - anchors: The certificates in which verified paths may end.
    ///   - logs: The certificate transparency logs for rules of the policy that require certificate timestamps. Without
    ///     them, the hosts of these rules are refused with `logListMissing`.
    ///   - certificatePolicies: The inputs of the system verification for certificate policies.
    ///   - options: Options beyond `URLSessionConfiguration`.
    public init(
        pinnedBy policy: PinningPolicy, configuration: URLSessionConfiguration = .default,
        delegate: (any URLSessionDelegate)? = nil, delegateQueue: OperationQueue? = nil,
        anchors: TrustAnchors = .system, logs: TransparencyLogHolder? = nil,
        certificatePolicies: CertificatePolicyInputs = .anyPolicy,
        options: PinnedSessionOptions = PinnedSessionOptions()
    ) {
        self.init(
            pinnedBy: .policy(policy, anchors: anchors, logs: logs, certificatePolicies: certificatePolicies),
            configuration: configuration, delegate: delegate, delegateQueue: delegateQueue, options: options)
    }

    /// Makes a session with any trust context, such as evaluators or a replaceable policy. A refusal by the context is
    /// final. A delegate may replace the system verification only if the context reports that no pin applies.
    public init(
        pinnedBy trust: TrustContext, configuration: URLSessionConfiguration = .default,
        delegate: (any URLSessionDelegate)? = nil, delegateQueue: OperationQueue? = nil,
        options: PinnedSessionOptions = PinnedSessionOptions()
    ) {
        let bridge = SessionBridge(
            trust: trust, configuration: configuration, hasDelegate: delegate != nil, options: options)
        self = PinnedURLSession(
            bridge, configuration: configuration, delegate: delegate, delegateQueue: delegateQueue)
    }
}

extension URLSession {
    /// Makes a native session and logs a warning that, on Linux, its delegate is never asked about a server.
    ///
    /// FoundationNetworking verifies servers only by the machine's roots. A delegate that pins has no effect, and
    /// neither has one that accepts a self-signed server. Use
    /// `URLSession(pinnedBy:configuration:delegate:delegateQueue:)` to make a session that asks its delegate.
    public convenience init(
        configuration: URLSessionConfiguration, delegate: any URLSessionDelegate, delegateQueue: OperationQueue?
    ) {
        NativeSessionWarning.logger.warning(
            "\(NativeSessionWarning.hint)", metadata: ["delegate": "\(type(of: delegate))"])
        let delegate: (any URLSessionDelegate)? = delegate
        self.init(configuration: configuration, delegate: delegate, delegateQueue: delegateQueue)
    }
}

/// Options of a pinned session beyond `URLSessionConfiguration`.
public struct PinnedSessionOptions: Sendable {
    /// Proxies, connection timeouts and limits. Its `trust` and `maximumConnectionsPerHost` are ignored; the session's
    /// own values apply.
    public var transport: TransportConfiguration
    /// The maximum body size in bytes for tasks with a completion handler; a larger body fails with `responseTooLarge`.
    /// 64 MiB by default. The limit does not apply to delegates, which receive bodies in parts; the limits of
    /// `Decompression` do.
    ///
    /// - Error: `TransportError.Code.responseTooLarge`
    public var maximumResponseBytes: Int
    /// The redirects that are followed, before the delegate is asked about them: at most ten by default. Name your own
    /// credential fields here; otherwise they are sent to other origins. See `RedirectPolicy`.
    public var redirects: RedirectPolicy
    /// Logs connections, refusals and delegates that replace the system verification.
    public var logger: Logger?

    /// Makes options. The parameters correspond to the properties.
    public init(
        transport: TransportConfiguration = TransportConfiguration(), maximumResponseBytes: Int = 64 * 1024 * 1024,
        redirects: RedirectPolicy = .follow(), logger: Logger? = nil
    ) {
        self.transport = transport
        self.maximumResponseBytes = maximumResponseBytes
        self.redirects = redirects
        self.logger = logger
    }
}
#endif
