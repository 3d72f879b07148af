import HoldfastTrust

/// One of Alamofire's evaluators as one of Holdfast's.
struct EvaluatingBridge: ServerTrustEvaluator {
    let evaluator: any ServerTrustEvaluating

    /// Wraps an evaluator as far as it has to be: revocation can wait here, and a composite's members are taken one by one.
    static func evaluator(
        for evaluator: any ServerTrustEvaluating, replacing: Bool
    ) -> any ServerTrustEvaluator {
        switch evaluator {
        case let revocation as RevocationTrustEvaluator: return revocation.evaluator
        case let composite as CompositeTrustEvaluator:
            return CompositeEvaluator.all(composite.evaluators.map { self.evaluator(for: $0, replacing: replacing) })
        case let own as any FullyVerifying where own.verifiesFully:
            // It verifies as much itself, perhaps with other anchors.
            return DangerouslyReplacingSystemTrust(EvaluatingBridge(evaluator: own))
        default:
            let bridge = EvaluatingBridge(evaluator: evaluator)
            return replacing ? DangerouslyReplacingSystemTrust(bridge) : bridge
        }
    }

    func evaluate(_ trust: ServerTrust, forHost host: String) async throws {
        do {
            try evaluator.evaluate(trust.platformTrust(forHost: host), forHost: host)
        } catch let error as AFError {
            throw error
        } catch {
            throw AFError.serverTrustEvaluationFailed(reason: .customEvaluationFailed(error: error))
        }
    }
}
