import HoldfastBase

/// A JSON value. Objects keep the order of their keys and numbers keep their spelling. Except for white space, a value
/// is therefore written back byte for byte.
package indirect enum JSONValue: Hashable, Sendable, ExpressibleByStringLiteral {
    case null
    case bool(Bool)
    case number(JSONNumber)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)

    package init(stringLiteral text: String) {
        self = .string(text)
    }

    /// Returns a whole number.
    package static func integer(_ value: Int64) -> JSONValue { .number(JSONNumber(value)) }

    /// The string; `nil` for other types.
    package var stringValue: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The Boolean. The strings `"true"` and `"false"` are accepted, because some servers send them.
    package var boolValue: Bool? {
        switch self {
        case .bool(let value): value
        case .string(let text):
            switch text.lowercased() {
            case "true": true
            case "false": false
            default: nil
            }
        default: nil
        }
    }

    /// The integer. A number in a string is accepted. `nil` if the number exceeds 64 bits or has a fraction.
    package var integerValue: Int64? {
        switch self {
        case .number(let number): number.integer
        case .string(let text): Int64(text)
        default: nil
        }
    }

    /// The elements of the array; `nil` for other types.
    package var arrayValue: [JSONValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// The members of the object; `nil` for other types.
    package var objectValue: JSONObject? {
        if case .object(let object) = self { object } else { nil }
    }
}

extension JSONValue {
    /// The type of the value, in words.
    var kindName: String {
        switch self {
        case .null: "null"
        case .bool: "a Boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

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
