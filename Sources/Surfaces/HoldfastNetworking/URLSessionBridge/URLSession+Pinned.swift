#if canImport(FoundationNetworking)
public import Foundation
public import FoundationNetworking
public import HoldfastTrust
import Logging

/// Gives `URLSession`, and no subclass of it, the initialisers of pinned sessions.
public protocol PinnedSessionMaking {}

extension URLSession: PinnedSessionMaking {}

extension PinnedSessionMaking where Self == URLSession {
    /// A session whose every connection is judged by a policy, and then by its delegate.
    ///
    /// ```swift
    /// let session = URLSession(pinnedBy: policy, configuration: .default, delegate: self, delegateQueue: queue)
    /// let (data, response) = try await session.data(from: url)
    /// ```
    /// The pins come first: no delegate is asked about a server that they refuse. What its answers do is in
    /// `TrustContext.delegate(_:of:task:policy:anchors:logger:)`; a challenge that is not answered within
    /// `TransportConfiguration.tlsTimeout` refuses. A refused server reaches tasks as a `URLError` with the code
    /// `serverCertificateUntrusted`, or `cancelled` where the delegate refused it; its `trustVerdict` says why.
    /// docs/urlsession.md says what else is covered and what is refused.
    ///
    /// - Parameters:
    ///   - policy: The pins. Hosts without any are the system verification's, or the delegate's.
    ///   - configuration: Copied. A property that cannot be honoured makes every task fail with
    ///     ``UnsupportedConfigurationError`` inside the `URLError`.
    ///   - delegate: Kept until the session is invalidated, as always.
    ///   - delegateQueue: Where the delegate is called; an own serial queue by default.
    ///   - anchors: Where paths may end.
    ///   - options: What `URLSessionConfiguration` has no word for.
    public init(
        pinnedBy policy: PinningPolicy, configuration: URLSessionConfiguration = .default,
        delegate: (any URLSessionDelegate)? = nil, delegateQueue: OperationQueue? = nil,
        anchors: TrustAnchors = .system, options: PinnedSessionOptions = PinnedSessionOptions()
    ) {
        self.init(
            pinnedBy: .policy(policy, anchors: anchors), configuration: configuration, delegate: delegate,
            delegateQueue: delegateQueue, options: options)
    }

    /// The same with any trust context: evaluators, or a policy that can be exchanged. What the context refuses is refused; a
    /// delegate may accept in the place of the system verification only where the context says that no pin applies.
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
    /// Makes a native session, and logs a warning that its delegate is never asked about a server on Linux.
    ///
    /// FoundationNetworking verifies servers by the machine's roots alone: a delegate that pins does not pin, and one that accepts a
    /// self-signed server does not. `URLSession(pinnedBy:configuration:delegate:delegateQueue:)` makes a session that asks it.
    public convenience init(
        configuration: URLSessionConfiguration, delegate: any URLSessionDelegate, delegateQueue: OperationQueue?
    ) {
        NativeSessionWarning.logger.warning(
            "\(NativeSessionWarning.hint)", metadata: ["delegate": "\(type(of: delegate))"])
        let delegate: (any URLSessionDelegate)? = delegate
        self.init(configuration: configuration, delegate: delegate, delegateQueue: delegateQueue)
    }
}
#endif
