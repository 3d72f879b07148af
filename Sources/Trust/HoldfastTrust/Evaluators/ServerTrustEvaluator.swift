#if canImport(Security)
public import Security
#endif

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Decides whether a server is trusted. Returning accepts the server, throwing refuses it.
///
/// The host is in canonical form. A transport runs an evaluator *after* the system verification has accepted the chain:
/// the evaluator can refuse what the system accepts, but cannot accept what the system refuses. To replace the system
/// verification, wrap the evaluator in ``DangerouslyReplacingSystemTrust``.
///
/// If the call does not return before the connection's TLS deadline, the server is refused. Evaluators of Holdfast that
/// a custom evaluator calls use the anchors and the time of the calling context.
public protocol ServerTrustEvaluator: Sendable {
    /// Returns if the server is accepted and throws otherwise. Called from any thread.
    func evaluate(_ trust: ServerTrust, forHost host: String) async throws

    #if canImport(Security)
    /// Evaluates a `SecTrust`: the requirement of ``SecTrustEvaluator``. An evaluator implements one of the two
    /// methods.
    func evaluate(_ trust: SecTrust, forHost host: String) throws
    #endif
}

/// The chain that a server presented, as passed to an evaluator.
///
/// Does not contain policies, anchors or a time, so it cannot weaken an evaluation.
public struct ServerTrust: Hashable, Sendable {
    /// The certificates that the server sent.
    public let presented: PresentedChain

    /// Creates a trust object from the presented certificates.
    public init(_ presented: PresentedChain) {
        self.presented = presented
    }

    /// Creates a trust object from DER certificates, the server's own first, for a connection that other code opened.
    ///
    /// Never fails: unreadable certificates are kept, and evaluation reports them.
    public init(derCertificates: [Data]) {
        self.presented = PresentedChain(der: derCertificates.map(Array.init))
    }
}

/// A custom evaluator that calls a closure. The closure refuses the server by throwing.
///
/// Like every custom evaluator, it runs after the system verification has accepted the chain, and can only refuse.
public struct ClosureEvaluator: ServerTrustEvaluator {
    private let body: @Sendable (ServerTrust, String) async throws -> Void

    /// Creates an evaluator. The closure is called from any thread with the host in canonical form.
    public init(_ body: @escaping @Sendable (_ trust: ServerTrust, _ host: String) async throws -> Void) {
        self.body = body
    }

    /// Calls the closure.
    public func evaluate(_ trust: ServerTrust, forHost host: String) async throws {
        try await body(trust, host)
    }
}
