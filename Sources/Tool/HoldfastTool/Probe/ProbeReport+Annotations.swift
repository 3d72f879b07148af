import HoldfastLint
import HoldfastBase
import HoldfastTrust

/// The place in a policy file that decides about a server.
struct ProbeRulePlace: Hashable, Sendable {
    /// The file as given; `nil` for standard input.
    var file: String?
    /// The line of the host's rule, if the policy has one.
    var line: Int?
}

extension ProbeTrust {
    /// Returns the place of the rule for a host; `nil` if there is no policy file.
    func place(of host: CanonicalHost, at now: Timestamp) -> ProbeRulePlace? {
        guard case .policy(let policy) = self else { return nil }
        let patterns = Set(rules(for: host, at: now).map(\.pattern))
        let domain = policy.document.domains.first { $0.pattern.map(patterns.contains) == true }
        return ProbeRulePlace(file: policy.path == "-" ? nil : policy.path, line: domain?.position?.line)
    }
}

extension ProbeReport {
    /// The results that are not as expected and the warnings, for other programs.
    var annotations: [Annotation] {
        var found: [Annotation] = []
        if isAsExpected != true {
            switch outcome {
            case .failed(let failure): found.append(annotation(.error, failure.code, conclusion))
            case .refused(let finding):
                let text = "\(conclusion). \(finding.reason)"
                found.append(annotation(.error, finding.code, text, advice: advice.map(Self.words)))
            case .allowed: found.append(annotation(.error, "allowed", conclusion))
            }
        }
        if let twoWay, !twoWay.isPassed {
            for step in twoWay.steps where !step.isPassed {
                let text = "the two-way check failed: \(step.name): expected: \(step.expectation.rawValue)"
                found.append(annotation(.error, "twoWayCheck", text))
            }
        }
        found += warnings.map { annotation(.warning, $0.code.rawValue, $0.sentence) }
        return found
    }

    private func annotation(
        _ level: Annotation.Level, _ code: String, _ message: String, advice: String? = nil
    ) -> Annotation {
        Annotation(
            level: level, code: code, message: "\(target): \(message)", advice: advice, file: rulePlace?.file,
            line: rulePlace?.line, subject: target.description)
    }

    /// Says how to accept the server, with the warning that the key may be an attacker's.
    private static func words(_ advice: ProbeAdvice) -> String {
        "To accept this server, add this line to \(advice.place): \(advice.line) CAUTION: \(ProbeAdvice.caution)"
    }
}
