package import HoldfastBase
import HoldfastFormats
package import HoldfastTrust

/// The findings in some files.
package struct LintReport {
    private struct Entry {
        var file: String
        var finding: PolicyDiagnostic
        /// The file of the finding: the checked file, or a file in the checked folder; `nil` for standard input.
        var place: String?
        /// The column in UTF-16 code units, if it is known.
        var column: Int?
    }

    private var findings: [Entry] = []
    /// Whether notes count as well.
    private let isStrict: Bool

    /// Creates a report without findings.
    ///
    /// - Parameter isStrict: Whether a note is a failure, too.
    package init(isStrict: Bool = false) {
        self.isStrict = isStrict
    }

    /// Adds the findings in a file or folder.
    ///
    /// - Parameters:
    ///   - isFolder: Whether the path of each finding is a file in the folder.
    ///   - source: Converts the columns.
    package mutating func add(
        _ diagnostics: [PolicyDiagnostic], in file: String, isFolder: Bool = false, source: SourceColumns? = nil
    ) {
        findings += diagnostics.map { finding in
            let column = finding.position.flatMap { source?.utf16Column(line: $0.line, column: $0.column) }
            let place = isFolder && !finding.path.isEmpty ? "\(file)/\(finding.path)" : file
            return Entry(file: file, finding: finding, place: file == "-" ? nil : place, column: column)
        }
    }

    /// Whether there is no finding above a note; in a strict report, whether there is no finding.
    package var isClean: Bool { findings.allSatisfy { $0.finding.severity == .note && !isStrict } }

    /// One line for each finding, in the style of compilers. The remedy of each kind follows the first finding of that
    /// kind. The last line has the totals.
    package func text(_ style: TerminalStyle = .plain) -> String { (lines(style) + [summary]).joined(separator: "\n") }

    /// The same lines without the totals.
    package func lines(_ style: TerminalStyle = .plain) -> [String] {
        var told: Set<PolicyDiagnostic.Code> = []
        return findings.map { entry in
            let finding = entry.finding
            let line = LintReport.line(finding, in: entry.file, style)
            guard finding.severity != .note, told.insert(finding.code).inserted, let remedy = finding.remedy else {
                return line
            }
            return line + "\n    remedy: " + remedy
        }
    }

    /// Returns the line of a finding.
    package static func line(_ finding: PolicyDiagnostic, in file: String, _ style: TerminalStyle = .plain) -> String {
        let place = finding.position.map { "\($0):" } ?? ""
        let path = finding.path.isEmpty ? "" : " at \(Printable.text(finding.path))"
        let severity = style.text(finding.severity.rawValue, TerminalStyle.Meaning(finding.severity))
        let shown = Printable.text(file)
        // CI systems execute lines that begin with :: or ##.
        let name = shown.hasPrefix(":") || shown.hasPrefix("#") ? "./" + shown : shown
        return "\(name):\(place) \(severity): \(finding.message) [\(finding.code)]\(path)"
    }

    /// The totals.
    package var summary: String {
        let counts = PolicyDiagnostic.Severity.allCases.compactMap { severity -> String? in
            let count = findings.filter { $0.finding.severity == severity }.count
            return count == 0 ? nil : "\(count) \(severity.rawValue)\(count == 1 ? "" : "s")"
        }
        return counts.isEmpty ? "no findings" : counts.joined(separator: ", ")
    }

    /// One JSON object.
    package var json: String {
        let items = findings.map { LintReport.json($0.finding, in: $0.file) }
        let text = JSONWriter.text(.fields([("clean", .bool(isClean)), ("findings", .list(items))]))
        return TerminalSafety.json(String(text.dropLast()))
    }

    /// One finding as JSON.
    package static func json(_ finding: PolicyDiagnostic, in file: String) -> JSONNode.Value {
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

extension LintReport {
    /// The findings for other programs.
    package var annotations: [Annotation] {
        findings.map { entry in
            let finding = entry.finding
            let kind = FindingKind.named(finding.code)
            let level: Annotation.Level =
                switch finding.severity {
                case .error: .error
                case .warning: .warning
                case .note: .note
                }
            return Annotation(
                level: level, code: finding.code.rawValue, message: finding.message, meaning: kind?.meaning,
                remedy: kind?.remedy, file: entry.place, line: finding.position?.line,
                column: entry.column, subject: finding.path.isEmpty ? nil : finding.path)
        }
    }
}

extension TerminalStyle.Meaning {
    /// The meaning of a severity.
    package init(_ severity: PolicyDiagnostic.Severity) {
        switch severity {
        case .error: self = .error
        case .warning: self = .warning
        case .note: self = .note
        }
    }
}
