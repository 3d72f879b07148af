import HoldfastBase

/// What a reader, a converter or lint has to say about a policy file, and where.
public struct PolicyDiagnostic: Hashable, Sendable, CustomStringConvertible {
    /// How bad it is.
    public enum Severity: String, Hashable, Sendable, CaseIterable {
        /// The file cannot be honoured.
        case error
        /// It can, and it is probably a mistake, or something is lost.
        case warning
        /// Worth knowing.
        case note
    }

    /// How bad it is.
    public var severity: Severity
    /// The kind of problem.
    public var code: Code
    /// One sentence.
    public var message: String
    /// The path of the element in the file, as in `domains[2].pins[0]`.
    public var path: String
    /// Where the element stands; `nil` where the format has no lines.
    public var position: SourcePosition?

    /// Makes a diagnostic.
    public init(
        _ severity: Severity, _ code: Code, _ message: String, path: String, position: SourcePosition? = nil
    ) {
        self.severity = severity
        self.code = code
        self.message = message
        self.path = path
        self.position = position
    }

    public var description: String {
        let place = position.map { "\($0): " } ?? ""
        return
            "\(place)\(severity.rawValue): \(message) [\(code)] at \(path.isEmpty ? "the top" : Printable.text(path))"
    }
}

/// A place in a file, counted as editors count: the first line is 1, the first column is 1, columns in UTF-8 bytes.
public struct SourcePosition: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The line, from 1.
    public var line: Int
    /// The column, from 1.
    public var column: Int

    /// Names a place.
    public init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    /// Where a file begins.
    public static let start = SourcePosition(line: 1, column: 1)

    public static func < (lhs: SourcePosition, rhs: SourcePosition) -> Bool {
        (lhs.line, lhs.column) < (rhs.line, rhs.column)
    }

    public var description: String { "\(line):\(column)" }
}

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
            omitsErrors ? .error : .warning, .tooManyFindings, "\(omitted) more findings are not listed", path: "")
        return kept + [rest]
    }
}
