public import HoldfastTrust

/// A kind of finding: what it means, and what to do about it. `docs/lint.md` has the same list.
public struct FindingKind: Hashable, Sendable {
    /// The code of the diagnostics of this kind. It does not change from version to version.
    public let code: PolicyDiagnostic.Code
    /// How bad it can be.
    public let severities: Set<PolicyDiagnostic.Severity>
    /// What is the case, in general; a diagnostic's message says it for the place at hand.
    public let meaning: String
    /// What to do.
    public let remedy: String

    init(
        _ code: PolicyDiagnostic.Code, _ severities: Set<PolicyDiagnostic.Severity>, _ meaning: String, remedy: String
    ) {
        self.code = code
        self.severities = severities
        self.meaning = meaning
        self.remedy = remedy
    }

    /// Every kind that this module knows, in the order of the document.
    public static let all: [FindingKind] = reading + linting + converting

    /// The kind with a code; `nil` if there is none.
    public static func named(_ code: PolicyDiagnostic.Code) -> FindingKind? { byCode[code] }

    private static let byCode = Dictionary(all.map { ($0.code, $0) }) { first, _ in first }
}

extension PolicyDiagnostic {
    /// What to do about it; `nil` for a code that is not one of this module's.
    public var remedy: String? { FindingKind.named(code)?.remedy }
}
