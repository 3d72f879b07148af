import HoldfastTrust

extension TSKTrustDecision {
    /// TrustKit's name for Holdfast's decision.
    init(_ decision: TrustDecision) {
        self =
            switch decision {
            case .allow: .shouldAllowConnection
            case .block: .shouldBlockConnection
            case .notPinned: .domainNotPinned
            }
    }
}
