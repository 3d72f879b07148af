import HoldfastBase

/// Writes JSON with a stable layout. Members are written in the given order.
package enum JSONWriter {
    /// Returns the text of a value, indented by two spaces per level, with a line break at the end.
    package static func text(_ value: JSONNode.Value) -> String { text(value, .indented) + "\n" }

    /// Returns the text of a value without white space.
    package static func line(_ value: JSONNode.Value) -> String { text(value, .line) }

    /// Returns a string as a JSON literal.
    package static func quoted(_ string: String) -> String { line(.string(string)) }

    private static func text(_ value: JSONNode.Value, _ style: JSONPrinter.Style) -> String {
        var printer = JSONPrinter(style)
        write(value, to: &printer)
        return String(decoding: printer.bytes, as: UTF8.self)
    }

    private static func write(_ value: JSONNode.Value, to printer: inout JSONPrinter) {
        switch value {
        case .null: printer.write(literal: "null")
        case .bool(let flag): printer.write(literal: flag ? "true" : "false")
        case .number(let digits): printer.write(literal: digits)
        case .string(let string): printer.write(string: string)
        case .array(let elements):
            printer.open("[")
            for element in elements {
                printer.item()
                write(element.value, to: &printer)
            }
            printer.close("]")
        case .object(let members):
            printer.open("{")
            for member in members {
                printer.member(member.key)
                write(member.value.value, to: &printer)
            }
            printer.close("}")
        }
    }
}
