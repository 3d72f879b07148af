import HoldfastBase

/// Writes annotations as workflow commands of GitHub Actions, one per line.
///
/// A workflow command is a line that begins with `::`. Text from a file or a server must not be able to begin such a
/// line, or to add a property: the runner would execute it.
package enum WorkflowCommand {
    /// Returns the lines.
    package static func lines(_ annotations: [Annotation]) -> [String] { annotations.map(line) }

    private static func line(_ annotation: Annotation) -> String {
        let command =
            switch annotation.level {
            case .error: "error"
            case .warning: "warning"
            case .note: "notice"
            }
        let properties: [(String, String?)] = [
            ("file", annotation.file), ("line", annotation.file == nil ? nil : annotation.line.map { "\($0)" }),
            ("col", annotation.file == nil ? nil : annotation.column.map { "\($0)" }), ("title", annotation.code),
        ]
        let list = properties.compactMap { name, value in value.map { "\(name)=\(property($0))" } }
        let text = [annotation.message, annotation.advice, annotation.remedy].compactMap(\.self).joined(separator: "\n")
        return "::\(command) \(list.joined(separator: ","))::\(data(text))"
    }

    /// Escapes the message of a command.
    package static func data(_ text: String) -> String { escaped(text, alsoSeparators: false) }

    /// Escapes the value of a property.
    package static func property(_ text: String) -> String { escaped(text, alsoSeparators: true) }

    /// Escapes by the rules of the runner (`%`, CR, LF; in properties also `:` and `,`). Escapes scalars, because CR
    /// and LF together are one character. Other control characters, which the runner passes to its log, are made
    /// visible.
    private static func escaped(_ text: String, alsoSeparators: Bool) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "%": result += "%25"
            case "\r": result += "%0D"
            case "\n": result += "%0A"
            case ":" where alsoSeparators: result += "%3A"
            case "," where alsoSeparators: result += "%2C"
            default:
                if TerminalSafety.isSafe(scalar) {
                    result.unicodeScalars.append(scalar)
                } else {
                    result += "\\u{" + String(scalar.value, radix: 16) + "}"
                }
            }
        }
        return result
    }
}
