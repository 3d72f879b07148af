import HoldfastBase

/// A finding of a reader, a conversion or lint about a policy file, with its position.
public struct PolicyDiagnostic: Hashable, Sendable, CustomStringConvertible {
    /// The severity of a finding.
    public enum Severity: String, Hashable, Sendable, CaseIterable {
        /// The file is not a valid policy, or protection is lost.
        case error
        /// The policy is valid, but probably contains a mistake, or some information is lost.
        case warning
        /// Additional information.
        case note
    }

    /// The severity.
    public var severity: Severity
    /// The kind of problem.
    public var code: Code
    /// The message, as one sentence.
    public var message: String
    /// The path of the element in the file, such as `domains[2].pins[0]`.
    public var path: String
    /// The position of the element, or `nil` if the format does not have lines.
    public var position: SourcePosition?

    /// Creates a diagnostic.
    public init(
        _ severity: Severity, _ code: Code, _ message: String, path: String, position: SourcePosition? = nil
    ) {
        self.severity = severity
        self.code = code
        self.message = message
        self.path = path
        self.position = position
    }

    /// A textual representation of the value.
    public var description: String {
        let place = position.map { "\($0): " } ?? ""
        return
            "\(place)\(severity.rawValue): \(message) [\(code)] at \(path.isEmpty ? "the top" : Printable.text(path))"
    }
}

/// Collects diagnostics up to a limit, so that a file with many errors cannot exhaust memory. Further diagnostics are
/// counted, and their number is reported.
package struct DiagnosticCollector: Sendable {
    /// The maximum number of collected diagnostics.
    ///
    /// - Error: `PolicyDiagnostic.Code.tooManyFindings`
    package static let limit = 10_000

    private var kept: [PolicyDiagnostic] = []
    private var omitted = 0
    private var omitsErrors = false

    package init() {}

    /// Adds a diagnostic, or counts it if the limit is reached.
    package mutating func add(_ diagnostic: PolicyDiagnostic) {
        if kept.count < DiagnosticCollector.limit { return kept.append(diagnostic) }
        omitted += 1
        if diagnostic.severity == .error { omitsErrors = true }
    }

    /// The collected diagnostics. If some were omitted, the last one reports their number, as an error if an error was
    /// omitted.
    package var all: [PolicyDiagnostic] {
        guard omitted > 0 else { return kept }
        let rest = PolicyDiagnostic(
            omitsErrors ? .error : .warning, .tooManyFindings, "\(omitted) more findings are not listed", path: "")
        return kept + [rest]
    }
}
