/// The results of a run.
package struct DifferentialReport: Sendable {
    package private(set) var cases = 0
    package private(set) var accepted = 0
    /// The cases that all verifiers judge alike.
    package private(set) var unanimous = 0
    /// The accepted cases of each class that a reference refuses.
    package private(set) var explained: [String: Int] = [:]
    /// The number of accepted cases that a reference refuses and no class explains.
    package private(set) var unexplainedCount = 0
    /// The first of these cases.
    package private(set) var unexplained: [Disagreement] = []
    /// The cases themselves.
    package private(set) var unexplainedCases: [DifferentialCase] = []
    /// The refused cases of each ``StricterClass`` that all references accept. Others are counted under their code.
    package private(set) var stricter: [String: Int] = [:]
    /// The first case of each code and change, and of each code without a class.
    package private(set) var examples: [String: Disagreement] = [:]
    /// The number of certificates that Holdfast could not read when they were minted.
    package var unreadable = 0

    private static let shown = 40

    package init() {}

    /// Whether each accepted case that a reference refuses belongs to a class.
    package var isClean: Bool { unexplainedCount == 0 }

    /// Adds a case. `simplified` has the results for ``DifferentialCase/simplified``, if the references judged it.
    package mutating func add(
        _ item: DifferentialCase, code: String, isAccepted: Bool, _ reasons: ReferenceJudges.Reasons,
        simplified: ReferenceJudges.Reasons? = nil
    ) {
        cases += 1
        accepted += isAccepted ? 1 : 0
        let refusals = reasons.compactMapValues(\.self)
        if isAccepted ? refusals.isEmpty : refusals.count == reasons.count { unanimous += 1 }
        guard isAccepted else {
            guard refusals.isEmpty, !reasons.isEmpty else { return }
            let found = StricterClass.all.first { $0.explains(code: code, changes: item.changes) }
            stricter[found?.name ?? "not explained: \(code)", default: 0] += 1
            let example = Disagreement(
                item.kind, number: item.number, changes: item.changes, reference: "all", reason: nil, code: code)
            for name in (item.changes.count == 1 ? item.changes : ["several"]) + (found == nil ? ["not explained"] : [])
            {
                examples[code + " " + name] = examples[code + " " + name] ?? example
            }
            return
        }
        let simpler = isAcceptable(item, code: code, simplified) ? item.simplified?.name : nil
        for disagreement in disagreements(item, code: code, reasons) {
            if let simpler {
                explained[simpler, default: 0] += 1
            } else {
                add(disagreement)
            }
            if unexplained.last?.number == item.number, unexplainedCases.last?.number != item.number {
                unexplainedCases.append(item)
            }
        }
    }

    /// Returns the refusals of an accepted case.
    private func disagreements(
        _ item: DifferentialCase, code: String, _ reasons: ReferenceJudges.Reasons
    ) -> [Disagreement] {
        reasons.compactMapValues(\.self).sorted(by: { $0.key < $1.key }).map { reference, reason in
            Disagreement(
                item.kind, number: item.number, changes: item.changes, reference: reference, reason: reason, code: code)
        }
    }

    /// Returns whether one reference accepts the simplified case, or refuses it as a class explains. The other one may
    /// not be able to express the case.
    private func isAcceptable(
        _ item: DifferentialCase, code: String, _ simplified: ReferenceJudges.Reasons?
    ) -> Bool {
        guard let simplified else { return false }
        return simplified.values.contains(nil)
            || disagreements(item, code: code, simplified).contains { AcceptedClass.explaining($0) != nil }
    }

    /// Returns the simplified case if no class explains the refusals of an accepted case.
    func question(_ item: DifferentialCase, isAccepted: Bool, _ reasons: ReferenceJudges.Reasons) -> DifferentialCase? {
        let isOpen = disagreements(item, code: "", reasons).contains { AcceptedClass.explaining($0) == nil }
        return isAccepted && isOpen ? item.simplified?.rest : nil
    }

    /// Adds an accepted case that a reference refuses.
    package mutating func add(_ item: Disagreement) {
        if let found = AcceptedClass.explaining(item) {
            explained[found.name, default: 0] += 1
        } else {
            unexplainedCount += 1
            if unexplained.count < DifferentialReport.shown { unexplained.append(item) }
        }
    }

    /// The counts as text.
    package var description: String {
        var lines = [
            "cases                             \(cases)",
            "accepted by Holdfast              \(accepted)",
            "same result by all                \(unanimous)",
            "certificates skipped, unreadable  \(unreadable)",
        ]
        lines += ["", "accepted, but refused by a reference:"]
        lines += explained.sorted { $0.key < $1.key }.map { "  \($0.value)  \($0.key)" }
        lines.append("  \(unexplainedCount)  not explained")
        lines += ["", "refused, but accepted by all references:"]
        lines += stricter.sorted { $0.key < $1.key }.map { "  \($0.value)  \($0.key)" }
        return lines.joined(separator: "\n")
    }
}
