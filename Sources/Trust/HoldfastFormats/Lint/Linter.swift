import HoldfastTrust

/// Runs all lint checks over one document.
struct Linter {
    /// A rule with its effective pins.
    struct Rule {
        var domain: PolicyDomain
        var pattern: HostPattern
        /// The rule's own pins and the pins of its pin set.
        var listed: [PolicyPin]

        var pins: [Pin] { listed.compactMap(\.pin) }
        var keys: Set<SHA256Hash> { Set(pins.map(\.sha256)) }
    }

    let document: PolicyDocument
    let time: Timestamp
    /// Pins that expire within this number of seconds cause a warning.
    let notice: Int64
    let rules: [Rule]
    var findings = Findings()

    init(document: PolicyDocument, time: Timestamp, notice: Int64) {
        self.document = document
        self.time = time
        self.notice = notice
        let sets = Dictionary(document.pinSets.map { ($0.name, $0.pins) }) { first, _ in first }
        rules = document.domains.compactMap { domain in
            guard let pattern = domain.pattern else { return nil }
            let listed = domain.pins + (domain.pinSetName.flatMap { sets[$0] } ?? [])
            return Rule(domain: domain, pattern: pattern, listed: domain.isExcluded ? [] : listed)
        }
    }

    /// The rules that pin at least one key.
    var pinning: [Rule] { rules.filter { !$0.domain.isExcluded && !$0.pins.isEmpty } }

    /// Warns about anchors that have expired or expire soon, because chains to an expired anchor are refused.
    mutating func checkAnchors() {
        for (index, certificate) in (document.anchors?.certificates ?? []).enumerated() {
            PolicyLint.checkDates(
                of: certificate, "anchors.certificates[\(index)]", at: time, notice: notice, &findings)
        }
    }

    /// Warns if a policy file in Holdfast's own format has no effect. A file in another format may contain other
    /// settings.
    mutating func checkContent() {
        guard document.format == .holdfast, let policy = try? document.policy(), policy.asksForNothing else { return }
        findings.error(
            .emptyPolicy,
            "the policy has no effect: no rule with pins, denied key or anchor, and hosts without a rule are allowed",
            "", .start)
    }

    /// Adds the error that `policy()` throws, unless it was already reported.
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
