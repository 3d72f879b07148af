/// What ``TSKPinningValidator/evaluateTrust(_:forHostname:)`` decided. The numbers are TrustKit's.
public enum TSKTrustDecision: Int, Hashable, Sendable, CaseIterable {
    /// The chain is valid for the host and a pin matched, or pins are only reported.
    case shouldAllowConnection = 0
    /// The connection must be refused.
    case shouldBlockConnection = 1
    /// No pin applies to the host: it is not listed, it is excluded, or its pins have expired.
    ///
    /// - Warning: **Nothing was validated.** As in TrustKit this is no permission. Whoever goes on without a verification of
    ///   his own has switched certificate validation off. The line that validates:
    ///
    /// ```swift
    /// try SystemTrustEvaluator().evaluate(ServerTrust(serverTrust), forHost: serverHostname)
    /// ```
    case domainNotPinned = 2
}
