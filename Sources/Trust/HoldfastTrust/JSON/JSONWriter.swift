/// Writes JSON with a stable layout: the members in the order given, two spaces for each level.
package struct JSONWriter {
    private var text = ""
    private var level = 0

    package init() {}

    /// The text of a value.
    package static func text(_ value: JSONNode.Value) -> String {
        var writer = JSONWriter()
        writer.write(value)
        return writer.text + "\n"
    }

    /// A string as a JSON literal.
    package static func quoted(_ string: String) -> String {
        var result = "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case "\u{0}"..<" ", "\u{7F}":
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    private mutating func write(_ value: JSONNode.Value) {
        switch value {
        case .null: text += "null"
        case .bool(let flag): text += flag ? "true" : "false"
        case .number(let digits): text += digits
        case .string(let string): text += JSONWriter.quoted(string)
        case .array(let elements):
            block("[", "]", elements.map { (nil, $0.value) })
        case .object(let members):
            block("{", "}", members.map { ($0.key, $0.value.value) })
        }
    }

    private mutating func block(_ open: String, _ close: String, _ items: [(key: String?, value: JSONNode.Value)]) {
        guard !items.isEmpty else {
            text += open + close
            return
        }
        text += open
        level += 1
        for (index, item) in items.enumerated() {
            text += (index == 0 ? "\n" : ",\n") + String(repeating: "  ", count: level)
            if let key = item.key { text += JSONWriter.quoted(key) + ": " }
            write(item.value)
        }
        level -= 1
        text += "\n" + String(repeating: "  ", count: level) + close
    }
}
