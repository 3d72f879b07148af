import HoldfastBase

extension JSONValue {
    /// The value as compact JSON. Keys keep their order, and only the required characters are escaped.
    package var bytes: [UInt8] {
        var printer = JSONPrinter(.compact)
        write(to: &printer)
        return printer.bytes
    }

    /// The value as compact JSON in a string.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    private func write(to printer: inout JSONPrinter) {
        switch self {
        case .null: printer.write(literal: "null")
        case .bool(let value): printer.write(literal: value ? "true" : "false")
        case .number(let number): printer.write(literal: number.lexeme)
        case .string(let text): printer.write(string: text)
        case .array(let elements):
            printer.open("[")
            for element in elements {
                printer.item()
                element.write(to: &printer)
            }
            printer.close("]")
        case .object(let object):
            printer.open("{")
            object.forEach { key, value in
                printer.member(key)
                value.write(to: &printer)
            }
            printer.close("}")
        }
    }
}
