/// Collects diagnostics up to a limit, so that a file of nothing but mistakes cannot fill the memory. What is left out is
/// counted, and said.
package struct DiagnosticCollector: Sendable {
    /// How many are kept.
    package static let limit = 10_000

    private var kept: [PolicyDiagnostic] = []
    private var omitted = 0
    private var omitsErrors = false

    package init() {}

    /// Keeps one more, or counts it.
    package mutating func add(_ diagnostic: PolicyDiagnostic) {
        if kept.count < DiagnosticCollector.limit { return kept.append(diagnostic) }
        omitted += 1
        if diagnostic.severity == .error { omitsErrors = true }
    }

    /// What was kept, and at the end how much was not: an error if there is one among it.
    package var all: [PolicyDiagnostic] {
        guard omitted > 0 else { return kept }
        let rest = PolicyDiagnostic(
            omitsErrors ? .error : .warning, "too-many-findings", "\(omitted) more findings are not listed", path: "")
        return kept + [rest]
    }
}
