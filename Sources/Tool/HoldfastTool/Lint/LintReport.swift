import HoldfastBase
import HoldfastFormats
import HoldfastTrust

/// The findings in some files.
struct LintReport {
    private var findings: [(file: String, finding: PolicyDiagnostic)] = []

    mutating func add(_ diagnostics: [PolicyDiagnostic], in file: String) {
        findings += diagnostics.map { (file, $0) }
    }

    /// Whether there is no finding above a note.
    var isClean: Bool { findings.allSatisfy { $0.finding.severity == .note } }

    /// One line for each finding, in the style of compilers. The remedy of each kind follows the first finding of that
    /// kind. The last line has the totals.
    var text: String { (lines + [summary]).joined(separator: "\n") }

    /// The same lines without the totals.
    var lines: [String] {
        var told: Set<PolicyDiagnostic.Code> = []
        return findings.map { file, finding in
            let line = LintReport.line(finding, in: file)
            guard finding.severity != .note, told.insert(finding.code).inserted, let remedy = finding.remedy else {
                return line
            }
            return line + "\n    remedy: " + remedy
        }
    }

    static func line(_ finding: PolicyDiagnostic, in file: String) -> String {
        let place = finding.position.map { "\($0):" } ?? ""
        let path = finding.path.isEmpty ? "" : " at \(Printable.text(finding.path))"
        return
            "\(Printable.text(file)):\(place) \(finding.severity.rawValue): \(finding.message) [\(finding.code)]\(path)"
    }

    private var summary: String {
        let counts = PolicyDiagnostic.Severity.allCases.compactMap { severity -> String? in
            let count = findings.filter { $0.finding.severity == severity }.count
            return count == 0 ? nil : "\(count) \(severity.rawValue)\(count == 1 ? "" : "s")"
        }
        return counts.isEmpty ? "no findings" : counts.joined(separator: ", ")
    }

    /// One JSON object.
    var json: String {
        let items = findings.map { LintReport.json($1, in: $0) }
        let text = JSONWriter.text(.fields([("clean", .bool(isClean)), ("findings", .list(items))]))
        return String(text.dropLast())
    }

    /// One finding as JSON.
    static func json(_ finding: PolicyDiagnostic, in file: String) -> JSONNode.Value {
        .fields([
            ("file", .string(file)), ("severity", .string(finding.severity.rawValue)),
            ("code", .string(finding.code.rawValue)), ("message", .string(finding.message)),
            ("path", .string(finding.path)),
            ("line", finding.position.map { .number(String($0.line)) }),
            ("column", finding.position.map { .number(String($0.column)) }),
            ("remedy", finding.remedy.map { .string($0) }),
        ])
    }
}
