import HoldfastTrust

/// One case as it is read: a chain, what it may end in, whom it claims to be, and perhaps a policy.
struct EvaluationCase: Hashable {
    /// The trust anchors.
    enum Anchors: Hashable {
        /// The machine's own roots.
        case system
        /// These certificates and no others, as PEM.
        case only([String])
    }

    /// The name that the answer repeats.
    var id: String
    /// What the server presented, its own certificate first, as PEM.
    var chain: [String]
    /// The trust anchors; `nil` only where pinned keys take their place.
    var anchors: Anchors?
    /// The host.
    var host: String
    /// When the evaluation takes place; `nil` for now.
    var time: Timestamp?
    /// The pins; `nil` for the system verification alone.
    var policy: EvaluationPolicy?
}
