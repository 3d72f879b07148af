import HoldfastTrust

/// One run over one document.
struct Linter {
    /// A rule with the pins that it really has.
    struct Rule {
        var domain: PolicyDomain
        var pattern: HostPattern
        /// Its own pins and those of its set.
        var listed: [PolicyPin]

        var pins: [Pin] { listed.compactMap(\.pin) }
        var keys: Set<SHA256Hash> { Set(pins.map(\.sha256)) }
    }

    let document: PolicyDocument
    let time: Timestamp
    let rules: [Rule]
    var findings = Findings()

    init(document: PolicyDocument, time: Timestamp) {
        self.document = document
        self.time = time
        let sets = Dictionary(document.pinSets.map { ($0.name, $0.pins) }) { first, _ in first }
        rules = document.domains.compactMap { domain in
            guard let pattern = domain.pattern else { return nil }
            let listed = domain.pins + (domain.pinSetName.flatMap { sets[$0] } ?? [])
            return Rule(domain: domain, pattern: pattern, listed: domain.isExcluded ? [] : listed)
        }
    }

    /// The rules that pin something.
    var pinning: [Rule] { rules.filter { !$0.domain.isExcluded && !$0.pins.isEmpty } }

    /// A policy file that asks for nothing is a mistake; a file of another format may hold other settings beside its pins.
    mutating func checkContent() {
        guard document.format == .holdfast, let policy = try? document.policy(), policy.asksForNothing else { return }
        findings.error(
            .emptyPolicy,
            "the policy asks for nothing: it has no rule with pins, denied key or anchor, and it allows hosts without a rule",
            "", .start)
    }

    /// What `policy()` would throw, as far as it is not said yet.
    mutating func checkUsability() {
        do throws(PolicyError) {
            _ = try document.policy()
        } catch {
            let known = Set(
                (document.diagnostics + findings.all).filter { $0.severity == .error }.map(\.path))
            for problem in error.problems where !known.contains(problem.path) {
                findings.error(at: problem, .unusablePolicy, problem.reason)
            }
        }
    }
}
