import HoldfastTrust

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Writes XML property lists with members in the given order.
enum PropertyListWriter {
    static func text(_ value: PropertyNode.Value) -> String {
        var writer = XMLWriter()
        writer.line(
            "<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" "
                + "\"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">")
        writer.element("plist", [("version", "1.0")]) { write(value, to: &$0) }
        return writer.text
    }

    private static func write(_ value: PropertyNode.Value, to writer: inout XMLWriter) {
        switch value {
        case .string(let text): writer.element("string", text: text)
        case .bool(let flag): writer.empty(flag ? "true" : "false")
        case .integer(let number): writer.element("integer", text: String(number))
        case .real(let text): writer.element("real", text: text)
        case .date(let date): writer.element("date", text: date.description)
        case .data(let bytes): writer.element("data", text: Data(bytes).base64EncodedString())
        // Property lists do not have a null value, and no writer produces one.
        case .null: writer.element("string", text: "")
        case .array(let values):
            if values.isEmpty { return writer.empty("array") }
            writer.element("array") { for value in values { write(value.value, to: &$0) } }
        case .dictionary(let members):
            if members.isEmpty { return writer.empty("dict") }
            writer.element("dict") {
                for member in members {
                    $0.element("key", text: member.key)
                    write(member.value.value, to: &$0)
                }
            }
        }
    }
}
