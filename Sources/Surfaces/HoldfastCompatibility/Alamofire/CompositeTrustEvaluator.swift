public import HoldfastTrust

/// Several evaluators: all must accept, in order, and the first error is thrown.
///
/// One without any evaluator refuses every server; Alamofire's accepts every one.
public struct CompositeTrustEvaluator: ServerTrustEvaluating {
    let evaluators: [any ServerTrustEvaluating]

    /// Puts evaluators together.
    public init(evaluators: [any ServerTrustEvaluating]) {
        self.evaluators = evaluators
    }

    /// Throws what the first member throws that does not accept.
    public func evaluate(_ trust: SecTrust, forHost host: String) throws {
        guard !evaluators.isEmpty else {
            let empty = TrustFinding(
                .invalidConfiguration, "The composite has no evaluators, so no server is trusted.")
            throw AFError.serverTrustEvaluationFailed(reason: .trustEvaluationFailed(error: empty))
        }
        for evaluator in evaluators { try evaluator.evaluate(trust, forHost: host) }
    }
}
