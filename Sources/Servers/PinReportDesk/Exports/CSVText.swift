/// Comma-separated values (RFC 4180) that are safe in spreadsheets.
package enum CSVText {
    /// Returns a line that ends in CR LF.
    package static func line(_ cells: [String]) -> String {
        cells.map(cell).joined(separator: ",") + "\r\n"
    }

    /// Returns a cell.
    ///
    /// Spreadsheets execute a cell that begins with `=`, `+`, `-` or `@`, also after a tab or CR that they drop. The
    /// texts come from reports, so that such a cell begins with an apostrophe. Line breaks become spaces.
    package static func cell(_ text: String) -> String {
        var safe = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\t", "\r", "\n", "\u{85}", "\u{2028}", "\u{2029}": safe.unicodeScalars.append(" ")
            case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}": safe.unicodeScalars.append("\u{FFFD}")
            default: safe.unicodeScalars.append(scalar)
            }
        }
        // Spreadsheets ignore white space and invisible characters before a formula, and accept full-width signs.
        let first = safe.unicodeScalars.first { !isIgnored($0) }
        if let first, isFormula(first) { safe = "'" + safe }
        let needsQuotes = safe.unicodeScalars.contains {
            $0 == "," || $0 == "\"" || $0 == ";" || $0 == "'" || $0 == " "
        }
        return needsQuotes ? "\"" + safe.replacing("\"", with: "\"\"") + "\"" : safe
    }

    private static func isIgnored(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace || scalar.properties.generalCategory == .format
            || scalar.properties.generalCategory == .nonspacingMark
    }

    private static func isFormula(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "=", "+", "-", "@", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}", "\u{FE62}", "\u{FE63}", "\u{FE66}",
            "\u{FE6B}", "\u{2212}":
            true
        default: false
        }
    }
}
