import ArgumentParser
package import HoldfastBase

/// The output format of `lint`.
package enum LintFormat: String, Hashable, Sendable, CaseIterable, ExpressibleByArgument {
    /// Text for a person.
    case text
    /// One JSON object.
    case json
    /// A SARIF 2.1.0 log, for code scanning.
    case sarif
    /// Annotations of GitHub Actions.
    case github
}

extension LintReport {
    /// Returns the report in a format: lines without the last line break, and a line for the user in addition to them.
    ///
    /// - Parameters:
    ///   - style: The colors of the format for people.
    ///   - places: The number of checked files and folders, which follows the totals for people. `nil` omits it.
    package func printed(
        as format: LintFormat, _ style: TerminalStyle = .plain, places: Int? = nil
    ) -> (text: String?, note: String?) {
        let places = places.map { " in " + ($0 == 1 ? "1 file or folder" : "\($0) files and folders") } ?? ""
        switch format {
        case .text: return (text(style) + places, nil)
        case .json: return (json, nil)
        case .sarif: return (SARIFLog(annotations, command: "lint").text, nil)
        case .github:
            let lines = WorkflowCommand.lines(annotations)
            return (lines.isEmpty ? nil : lines.joined(separator: "\n"), summary + places)
        }
    }
}
