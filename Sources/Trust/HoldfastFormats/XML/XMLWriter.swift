/// Writes XML with a stable layout: four spaces for each level, text beside its tags.
struct XMLWriter {
    private(set) var text = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
    private var level = 0

    /// Text with the characters escaped that XML gives a meaning.
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\r": result += "&#13;"
            // XML cannot hold them, not even as a reference.
            case "\u{0}"..<"\t", "\u{B}"..<"\r", "\u{E}"..<" ": result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static func tag(_ name: String, _ attributes: [(String, String)]) -> String {
        attributes.reduce("<" + name) { $0 + " \($1.0)=\"\(escaped($1.1))\"" }
    }

    /// Writes a line as it is, with the indentation of its level.
    mutating func line(_ line: String) {
        text += String(repeating: "    ", count: level) + line + "\n"
    }

    /// An element with others in it.
    mutating func element(
        _ name: String, _ attributes: [(String, String)] = [], content: (inout XMLWriter) -> Void
    ) {
        line(XMLWriter.tag(name, attributes) + ">")
        level += 1
        content(&self)
        level -= 1
        line("</\(name)>")
    }

    /// An element with text in it.
    mutating func element(_ name: String, _ attributes: [(String, String)] = [], text: String) {
        line(XMLWriter.tag(name, attributes) + ">\(XMLWriter.escaped(text))</\(name)>")
    }

    /// An element with nothing in it.
    mutating func empty(_ name: String, _ attributes: [(String, String)] = []) {
        line(XMLWriter.tag(name, attributes) + "/>")
    }
}
