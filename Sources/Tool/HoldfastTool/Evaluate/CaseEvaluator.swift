import Foundation
import HoldfastTrust

/// Evaluates test cases, one after the other.
struct CaseEvaluator {
    private let clock: TrustClock
    var shelf = CertificateShelf()

    /// Creates an evaluator. Cases without a time are judged at the clock's time.
    init(clock: TrustClock) {
        self.clock = clock
    }

    /// Returns the answer to one line of input; `nil` for an empty line.
    mutating func answer(to line: LineReader.Line, number: Int) async -> EvaluationAnswer? {
        switch line {
        case .tooLong(let limit):
            return .error(id: nil, "line \(number): the line has more than \(limit) bytes")
        case .text(let bytes):
            if bytes.allSatisfy({ [0x20, 0x09, 0x0D].contains($0) }) { return nil }
            do {
                let test = try JSONDecoder().decode(EvaluationCase.self, from: Data(bytes))
                return .verdict(id: test.id, try await evaluate(test))
            } catch {
                let name = try? JSONDecoder().decode(CaseName.self, from: Data(bytes))
                return .error(id: name?.id, "line \(number): \(CaseError(error).sentence)")
            }
        }
    }

    /// Evaluates one case. Throws ``CaseError`` if the case is invalid.
    mutating func evaluate(_ test: EvaluationCase) async throws -> EvaluationVerdict {
        let time = test.time ?? clock.now()
        let chain = shelf.presented(test.chain)
        let engine = try engine(for: test)
        let subject: TrustSubject
        do throws(HostError) {
            subject = TrustSubject(host: try CanonicalHost(test.host))
        } catch {
            let code = TrustFinding.Code.invalidHost.rawValue
            return EvaluationVerdict(
                decision: TrustDecision.block.rawValue, finding: code, reason: error.reason, system: code)
        }
        if test.inputs.needsPlainVerification { return verify(test, chain, subject.host, engine, at: time) }
        let context = try context(for: test, subject.host, engine, at: time)
        let clock = ContinuousClock()
        let start = clock.now
        var verdict =
            switch context.judge(chain, for: subject, at: time) {
            case .now(let verdict): verdict
            case .later(let judge): await judge()
            }
        if test.inputs.checksOCSP, verdict.permitsConnection {
            let refusal = try await GivenAnswer.refusal(of: chain, for: subject.host, test.inputs, engine, at: time)
            verdict = refusal ?? verdict
        }
        return EvaluationVerdict(verdict, took: clock.now - start)
    }

    private mutating func context(
        for test: EvaluationCase, _ host: CanonicalHost, _ engine: TrustEngine, at time: Timestamp
    ) throws(CaseError) -> TrustContext {
        if let text = test.policyFile { return try .engine(engine, under: CaseEvaluator.policy(in: text, at: time)) }
        if let list = test.evaluators {
            var members: [CaseMember] = []
            for (index, member) in list.members.enumerated() {
                switch member {
                case .system: members.append(CaseMember(context: .engine(engine)))
                case .policy(let policy):
                    let place = "evaluators.members[\(index)]"
                    members.append(
                        CaseMember(context: try context(for: policy, named: place, host, engine, at: time)))
                }
            }
            let composite: CompositeEvaluator = list.rule == .all ? .all(members) : .any(members)
            return .evaluators([host.text: composite], anchors: engine.anchors)
        }
        guard let policy = test.policy else { return .engine(engine) }
        return try context(for: policy, named: "policy", host, engine, at: time)
    }

    private mutating func context(
        for policy: EvaluationPolicy, named name: String, _ host: CanonicalHost, _ engine: TrustEngine,
        at time: Timestamp
    ) throws(CaseError) -> TrustContext {
        let certificates = try shelf.certificates(in: policy.certificates, named: "\(name).certificates")
        // Expired pinned keys no longer replace the system verification.
        if policy.mode == .pinnedKeysOnly, policy.expires.map({ time < $0 }) ?? true {
            return .pinnedKeysOnly(
                PinnedKeysOnly(
                    certificates: certificates, pins: policy.pins,
                    hostnameVerification: policy.hostnameVerification))
        }
        let rule = PinningRule(
            host: host,
            pins: PinSet(
                policy.pins + certificates.map { Pin($0.certificateDigest, scope: policy.scope) }),
            enforcement: policy.enforce ? .enforce : .reportOnly, expires: policy.expires)
        // Uses the unchecked initializer: a case without pins has an answer, `noUsablePins`.
        return .engine(engine, under: PinningPolicy(unchecked: name, rules: [rule]))
    }
}
