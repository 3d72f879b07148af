import HoldfastTrust

/// Evaluators by host.
///
/// Hosts are compared in canonical form, exactly: capitals or a trailing dot do not lead past an evaluator, and a subdomain
/// needs an entry of its own. A subclass may look evaluators up as it likes.
open class ServerTrustManager: @unchecked Sendable {  // reason: immutable, and so must subclasses be
    /// Whether a host without an evaluator is refused. If not, the system verification decides.
    public let allHostsMustBeEvaluated: Bool
    /// The evaluators as they were given.
    public let evaluators: [String: any ServerTrustEvaluating]
    private let table: Result<[String: any ServerTrustEvaluating], PolicyError>

    /// Makes a manager. A key that is no host, or two that are the same one, make it refuse every host.
    public init(allHostsMustBeEvaluated: Bool = true, evaluators: [String: any ServerTrustEvaluating]) {
        self.allHostsMustBeEvaluated = allHostsMustBeEvaluated
        self.evaluators = evaluators
        var table: [String: any ServerTrustEvaluating] = [:]
        var problems: [PolicyError.Problem] = []
        for (spelling, evaluator) in evaluators.sorted(by: { $0.key < $1.key }) {
            do throws(HostError) {
                let host = try CanonicalHost(spelling)
                if table.updateValue(evaluator, forKey: host.text) != nil {
                    problems.append(.init(path: host.text, reason: "the host is listed twice"))
                }
            } catch {
                problems.append(.init(path: Printable.text(spelling), reason: error.reason))
            }
        }
        self.table = problems.isEmpty ? .success(table) : .failure(PolicyError(problems: problems))
    }

    /// The evaluator for a host; `nil` if there is none and none is required.
    ///
    /// Throws ``AFError`` with `noRequiredEvaluator` if one is, and for a host without a canonical form; with
    /// `customEvaluationFailed` if the manager's own keys cannot be used. Called from any thread.
    open func serverTrustEvaluator(forHost host: String) throws -> (any ServerTrustEvaluating)? {
        let evaluator: (any ServerTrustEvaluating)?
        do {
            evaluator = try table.get()[try CanonicalHost(host).text]
        } catch is HostError {
            throw AFError.serverTrustEvaluationFailed(reason: .noRequiredEvaluator(host: Printable.text(host)))
        } catch {
            throw AFError.serverTrustEvaluationFailed(reason: .customEvaluationFailed(error: error))
        }
        if evaluator == nil, allHostsMustBeEvaluated {
            throw AFError.serverTrustEvaluationFailed(reason: .noRequiredEvaluator(host: host))
        }
        return evaluator
    }
}
