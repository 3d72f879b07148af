/// One JSON value. Objects keep the order of their keys and numbers keep their spelling, so that what was read can be
/// written again byte for byte (white space apart).
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

    /// A whole number.
    package static func integer(_ value: Int64) -> JSONValue { .number(JSONNumber(value)) }

    /// The text of a string value, `nil` for every other kind.
    package var stringValue: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The truth value; text such as `"true"` counts, because servers of this protocol sometimes write booleans so.
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

    /// The whole number, also when it was written as text; `nil` when it does not fit 64 bits or has a fraction.
    package var integerValue: Int64? {
        switch self {
        case .number(let number): number.integer
        case .string(let text): Int64(text)
        default: nil
        }
    }

    /// The elements of an array, `nil` for every other kind.
    package var arrayValue: [JSONValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// The members of an object, `nil` for every other kind.
    package var objectValue: JSONObject? {
        if case .object(let object) = self { object } else { nil }
    }
}
