/// Writes a manual page with the macros of man(7). All text is escaped, and the result is ASCII.
struct RoffText {
    /// The page so far.
    private(set) var text = ""

    /// Writes a comment.
    mutating func comment(_ words: String) {
        text += ".\\\" \(Self.escaped(words))\n"
    }

    /// Writes a macro, such as `SH`, with its arguments in quotation marks.
    mutating func macro(_ name: String, _ arguments: String...) {
        text += "." + name + arguments.map { " \"\(Self.escaped($0))\"" }.joined() + "\n"
    }

    /// Writes text on one line. The formatter fills it.
    mutating func line(_ parts: Part...) { line(parts) }

    /// Writes text on one line. The formatter fills it.
    mutating func line(_ parts: [Part]) {
        let line = parts.map(\.source).joined()
        // A line that begins with a dot is a macro.
        text += (line.hasPrefix(".") ? "\\&" : "") + line + "\n"
    }

    /// Writes paragraphs, which blank lines separate in the text.
    mutating func paragraphs(_ prose: String) {
        for paragraph in prose.split(separator: "\n\n") {
            macro("PP")
            line(.plain(paragraph.split(whereSeparator: \.isNewline).joined(separator: " ")))
        }
    }

    /// Writes lines that the formatter does not fill, indented.
    mutating func verbatim(_ lines: [String]) {
        text += ".PP\n.RS 4\n.nf\n"
        for verbatim in lines { line(.plain(verbatim)) }
        text += ".fi\n.RE\n"
    }

    /// A part of a line in one font.
    enum Part: Hashable {
        case plain(String)
        case bold(String)
        case italic(String)

        fileprivate var source: String {
            switch self {
            case .plain(let text): RoffText.escaped(text)
            case .bold(let text): "\\fB" + RoffText.escaped(text) + "\\fR"
            case .italic(let text): "\\fI" + RoffText.escaped(text) + "\\fR"
            }
        }
    }

    /// Escapes characters with a meaning in roff, and those that formatters replace by typographic ones, so that
    /// commands can be copied from the page.
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\e"
            case "-": result += "\\-"
            case "'": result += "\\(aq"
            case "`": result += "\\(ga"
            case "^": result += "\\(ha"
            case "~": result += "\\(ti"
            case "\"": result += "\\(dq"
            case " "..."~": result.unicodeScalars.append(scalar)
            default:
                guard scalar.value >= 0xA0 else {
                    // A control character, of which the help contains none.
                    result += " "
                    continue
                }
                let digits = String(scalar.value, radix: 16, uppercase: true)
                result += "\\[u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "]"
            }
        }
        return result
    }
}
