import HoldfastBase
public import HoldfastTrust

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

extension TrustContext {
    /// What Alamofire's manager decides, for Holdfast's transports:
    /// `HTTPClientTransport(configuration: TransportConfiguration(trust: .serverTrustManager(manager)))`.
    ///
    /// An evaluator that leaves out a part of the system verification (`performDefaultValidation: false`, `validateHost: false`,
    /// ``DisabledTrustEvaluator``, one of the app's own) is asked after it, and can only refuse. With
    /// `dangerouslyReplacingSystemTrust` it is asked in its place, as in Alamofire: what it does not check, nobody does. A host
    /// for which the manager has no evaluator is left to the system verification, or refused where one is required.
    public static func serverTrustManager(
        _ manager: ServerTrustManager, anchors: TrustAnchors = .system, dangerouslyReplacingSystemTrust: Bool = false
    ) -> TrustContext {
        let name = "server trust manager"
        return TrustContext(name: name) { chain, subject, time in
            do {
                guard let found = try manager.serverTrustEvaluator(forHost: subject.host.text) else {
                    return .now(TrustEngine(anchors: anchors).evaluate(chain, for: subject, at: time, named: name))
                }
                let evaluator = EvaluatingBridge.evaluator(for: found, replacing: dangerouslyReplacingSystemTrust)
                return TrustContext.evaluators([subject.host.text: evaluator], anchors: anchors)
                    .judge(chain, for: subject, at: time)
            } catch {
                let finding = TrustFinding(.policyRequired, Printable.text("\(error)"))
                return .now(.blocked(finding, chain, subject, time, name: name))
            }
        }
    }
}

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
