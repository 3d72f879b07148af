#if canImport(Security)
public import Security
#endif

/// Decides about one server. Returning accepts it, throwing refuses it.
///
/// The host arrives in canonical form. An evaluator that a transport calls runs *after* the system verification has
/// accepted the chain: it may refuse what the system accepts, and never the other way round. To replace the system
/// verification, wrap it in ``DangerouslyReplacingSystemTrust``. A call that does not end within the connection's TLS
/// deadline refuses the server. Evaluators of Holdfast's own that a custom one calls judge by the anchors and the time
/// of the context that asked.
public protocol ServerTrustEvaluator: Sendable {
    /// Returns if the server may be talked to, throws if not. Called from any thread.
    func evaluate(_ trust: ServerTrust, forHost host: String) async throws

    #if canImport(Security)
    /// The same about a `SecTrust`: the requirement of ``SecTrustEvaluator``. An evaluator implements one of the two.
    func evaluate(_ trust: SecTrust, forHost host: String) throws
    #endif
}
