/// Writes XML with a stable layout: four spaces per level, and text on the same line as its tags.
struct XMLWriter {
    private(set) var text = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
    private var level = 0

    /// Returns the text with XML's special characters escaped.
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\r": result += "&#13;"
            // XML cannot represent these characters, not even as references.
            case "\u{0}"..<"\t", "\u{B}"..<"\r", "\u{E}"..<" ": result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static func tag(_ name: String, _ attributes: [(String, String)]) -> String {
        attributes.reduce("<" + name) { $0 + " \($1.0)=\"\(escaped($1.1))\"" }
    }

    /// Writes a line with the indentation of its level.
    mutating func line(_ line: String) {
        text += String(repeating: "    ", count: level) + line + "\n"
    }

    /// Writes an element that contains other elements.
    mutating func element(
        _ name: String, _ attributes: [(String, String)] = [], content: (inout XMLWriter) -> Void
    ) {
        line(XMLWriter.tag(name, attributes) + ">")
        level += 1
        content(&self)
        level -= 1
        line("</\(name)>")
    }

    /// Writes an element that contains text.
    mutating func element(_ name: String, _ attributes: [(String, String)] = [], text: String) {
        line(XMLWriter.tag(name, attributes) + ">\(XMLWriter.escaped(text))</\(name)>")
    }

    /// Writes an empty element.
    mutating func empty(_ name: String, _ attributes: [(String, String)] = []) {
        line(XMLWriter.tag(name, attributes) + "/>")
    }
}
