public import HoldfastTrust

/// Accepts every server, an attacker's too.
///
/// In Holdfast's own transports it leaves the system verification on: to switch that off as well, the context has to be made
/// with `dangerouslyReplacingSystemTrust`.
public struct DisabledTrustEvaluator: ServerTrustEvaluating {
    /// Makes the evaluator.
    public init() {}

    /// Returns.
    public func evaluate(_ trust: SecTrust, forHost host: String) throws {}
}

/// Alamofire's older name.
@available(*, deprecated, renamed: "DisabledTrustEvaluator")
public typealias DisabledEvaluator = DisabledTrustEvaluator
