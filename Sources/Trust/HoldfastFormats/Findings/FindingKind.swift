public import HoldfastTrust

/// A kind of finding with its meaning and remedy. `docs/lint.md` contains the same list.
public struct FindingKind: Hashable, Sendable {
    /// The code of the diagnostics of this kind, which is stable across versions.
    public let code: PolicyDiagnostic.Code
    /// The severities with which the finding can occur.
    public let severities: Set<PolicyDiagnostic.Severity>
    /// A general description of the finding. The message of a diagnostic describes the specific case.
    public let meaning: String
    /// The action that resolves the finding.
    public let remedy: String

    init(
        _ code: PolicyDiagnostic.Code, _ severities: Set<PolicyDiagnostic.Severity>, _ meaning: String, remedy: String
    ) {
        self.code = code
        self.severities = severities
        self.meaning = meaning
        self.remedy = remedy
    }

    /// All kinds of findings in this module, in the order of `docs/lint.md`.
    public static let all: [FindingKind] = reading + linting + converting

    /// Returns the kind with the given code, or `nil` for an unknown code.
    public static func named(_ code: PolicyDiagnostic.Code) -> FindingKind? { byCode[code] }

    private static let byCode = Dictionary(all.map { ($0.code, $0) }) { first, _ in first }
}

extension PolicyDiagnostic {
    /// The action that resolves the finding, or `nil` if the code does not belong to this module.
    public var remedy: String? { FindingKind.named(code)?.remedy }
}
