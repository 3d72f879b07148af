import HoldfastBase
public import HoldfastTrust

/// A table of evaluators by host.
///
/// Hosts are compared exactly, in canonical form: upper case or a trailing dot do not bypass an evaluator. A subdomain
/// needs its own entry. A subclass may select evaluators differently.
open class ServerTrustManager: @unchecked Sendable {  // reason: immutable; subclasses must be immutable too
    /// Whether a host without an evaluator is refused. Otherwise the system verification decides.
    public let allHostsMustBeEvaluated: Bool
    /// The evaluators as given.
    public let evaluators: [String: any ServerTrustEvaluating]
    private let table: Result<[String: any ServerTrustEvaluating], PolicyError>

    /// Makes a manager. If a key is not a valid host, or two keys name the same host, the manager refuses every host.
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

    /// Returns the evaluator for a host; `nil` if there is none and none is required.
    ///
    /// - Throws: ``AFError`` with `noRequiredEvaluator` if an evaluator is required, or if the host has no canonical
    ///   form. ``AFError`` with `customEvaluationFailed` if the manager's keys are invalid.
    ///
    /// Called from any thread.
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
    /// Makes a context that applies the decisions of Alamofire's manager to Holdfast's transports:
    /// `HTTPClientTransport(configuration: TransportConfiguration(trust: .serverTrustManager(manager)))`.
    ///
    /// Some evaluators omit part of the system verification: those with `performDefaultValidation: false` or
    /// `validateHost: false`, ``DisabledTrustEvaluator``, and the app's own. They run after the system verification and
    /// can only refuse. With `dangerouslyReplacingSystemTrust` they replace it, as in Alamofire, and nothing else is
    /// checked. For a host without an evaluator, the system verification decides, or the host is refused if an
    /// evaluator is required.
    ///
    /// `certificatePolicies` are the inputs of the system verification for certificate policies (RFC 5280, 6.1.1), also
    /// for evaluators that perform it themselves.
    public static func serverTrustManager(
        _ manager: ServerTrustManager, anchors: TrustAnchors = .system,
        certificatePolicies: CertificatePolicyInputs = .anyPolicy, dangerouslyReplacingSystemTrust: Bool = false
    ) -> TrustContext {
        let name = "server trust manager"
        return TrustContext(name: name) { chain, subject, time in
            do {
                guard let found = try manager.serverTrustEvaluator(forHost: subject.host.text) else {
                    let engine = TrustEngine(anchors: anchors, certificatePolicies: certificatePolicies)
                    return .now(engine.evaluate(chain, for: subject, at: time, named: name))
                }
                let evaluator = EvaluatingBridge.evaluator(for: found, replacing: dangerouslyReplacingSystemTrust)
                return TrustContext.evaluators(
                    [subject.host.text: evaluator], anchors: anchors, certificatePolicies: certificatePolicies
                ).judge(chain, for: subject, at: time)
            } catch {
                let finding = TrustFinding(.policyRequired, Printable.text("\(error)"))
                return .now(.blocked(finding, chain, subject, time, name: name))
            }
        }
    }
}

/// Adapts one of Alamofire's evaluators to Holdfast's protocol.
struct EvaluatingBridge: ServerTrustEvaluator {
    let evaluator: any ServerTrustEvaluating

    /// Wraps an evaluator if necessary. Revocation checks run asynchronously, and a composite's members are wrapped
    /// individually.
    static func evaluator(
        for evaluator: any ServerTrustEvaluating, replacing: Bool
    ) -> any ServerTrustEvaluator {
        switch evaluator {
        case let revocation as RevocationTrustEvaluator: return revocation.evaluator
        case let composite as CompositeTrustEvaluator:
            return CompositeEvaluator.all(composite.evaluators.map { self.evaluator(for: $0, replacing: replacing) })
        case let own as any FullyVerifying where own.verification.checksHost:
            // The evaluator performs the system verification itself, possibly with other anchors.
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
