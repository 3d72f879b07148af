public import HoldfastTrust

/// Combines evaluators. All of them must accept the server; they run in order, and the first error is thrown.
///
/// Without any evaluator, it refuses every server. Alamofire's version accepts every server in that case.
public struct CompositeTrustEvaluator: ServerTrustEvaluating {
    let evaluators: [any ServerTrustEvaluating]

    /// Combines evaluators.
    public init(evaluators: [any ServerTrustEvaluating]) {
        self.evaluators = evaluators
    }

    /// Evaluates a server. Throws the error of the first evaluator that refuses it.
    public func evaluate(_ trust: SecTrust, forHost host: String) throws {
        guard !evaluators.isEmpty else {
            let empty = TrustFinding(
                .invalidConfiguration, "The composite has no evaluators, so no server is trusted.")
            throw AFError.serverTrustEvaluationFailed(reason: .trustEvaluationFailed(error: empty))
        }
        for evaluator in evaluators { try evaluator.evaluate(trust, forHost: host) }
    }
}
