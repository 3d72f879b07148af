import HoldfastBase
import HoldfastTrust

/// Reads XML property lists strictly, with positions.
enum PropertyListReader {
    /// Reads one property list. Refuses binary property lists with a message that names the conversion command.
    static func read(_ bytes: [UInt8]) throws(SyntaxFault) -> PropertyNode {
        if bytes.starts(with: "bplist".utf8) {
            throw SyntaxFault(
                code: .binaryPropertyList,
                reason: "the property list is binary; convert it: plutil -convert xml1 FILE", position: .start)
        }
        let root = try XMLReader.read(bytes, doctype: "plist")
        guard root.name == "plist" else {
            throw fault("the root element of a property list must be <plist>", root)
        }
        guard let child = root.elements.first, root.elements.count == 1, !root.hasText else {
            throw fault("a property list must contain exactly one value", root)
        }
        return try node(child)
    }

    private static func fault(_ reason: String, _ element: XMLElement) -> SyntaxFault {
        SyntaxFault(code: .malformedPropertyList, reason: reason, position: element.position)
    }

    private static func node(_ element: XMLElement) throws(SyntaxFault) -> PropertyNode {
        PropertyNode(try value(element), position: element.position)
    }

    private static func value(_ element: XMLElement) throws(SyntaxFault) -> PropertyNode.Value {
        guard element.attributes.isEmpty else {
            throw fault("<\(Printable.text(element.name))> does not take attributes in a property list", element)
        }
        switch element.name {
        case "dict": return try dictionary(element)
        case "array":
            guard !element.hasText else { throw fault("an array must contain values, not text", element) }
            var values: [PropertyNode] = []
            for child in element.elements { values.append(try node(child)) }
            return .array(values)
        default: break
        }
        guard element.elements.isEmpty else {
            throw fault("<\(Printable.text(element.name))> must not contain other elements", element)
        }
        let text = XMLElement.trimmed(element.text)
        switch element.name {
        case "string": return .string(element.text)
        case "true", "false":
            guard text.isEmpty else { throw fault("<\(element.name)/> must be empty", element) }
            return .bool(element.name == "true")
        case "integer":
            guard let number = integer(text) else {
                throw fault("\"\(Printable.text(text))\" is not an integer", element)
            }
            return .integer(number)
        case "real":
            guard Double(text) != nil else { throw fault("\"\(Printable.text(text))\" is not a number", element) }
            return .real(text)
        case "date":
            guard text.utf8.count == 20, text.hasSuffix("Z"), let date = Timestamp(iso8601: text) else {
                throw fault(
                    "\"\(Printable.text(text))\" is not a valid date, expected a form such as 2027-01-31T00:00:00Z",
                    element)
            }
            return .date(date)
        case "data":
            let digits = String(decoding: element.text.utf8.filter { $0 > 0x20 }, as: UTF8.self)
            guard let data = [UInt8](base64: digits) else { throw fault("the data is not valid base64", element) }
            return .data(data)
        default: throw fault("<\(Printable.text(element.name))> is not a property list element", element)
        }
    }

    private static func integer(_ text: String) -> Int64? {
        let isNegative = text.hasPrefix("-")
        let digits = text.dropFirst(isNegative || text.hasPrefix("+") ? 1 : 0)
        let isHexadecimal = digits.hasPrefix("0x") || digits.hasPrefix("0X")
        let body = digits.dropFirst(isHexadecimal ? 2 : 0)
        guard let first = body.utf8.first, first != UInt8(ascii: "+"), first != UInt8(ascii: "-") else { return nil }
        return Int64((isNegative ? "-" : "") + body, radix: isHexadecimal ? 16 : 10)
    }

    private static func dictionary(_ element: XMLElement) throws(SyntaxFault) -> PropertyNode.Value {
        guard !element.hasText else { throw fault("a dictionary must contain keys and values, not text", element) }
        var members: [PropertyNode.Member] = []
        var seen: Set<String> = []
        var key: XMLElement?
        for child in element.elements {
            if let name = key {
                members.append(PropertyNode.Member(key: name.text, position: name.position, value: try node(child)))
                key = nil
            } else {
                guard child.name == "key", child.elements.isEmpty, child.attributes.isEmpty else {
                    throw fault("expected a key", child)
                }
                guard seen.insert(child.text).inserted else {
                    throw fault("the key \"\(Printable.text(child.text))\" occurs twice", child)
                }
                key = child
            }
        }
        if let key { throw fault("the key \"\(Printable.text(key.text))\" has no value", key) }
        return .dictionary(members)
    }
}

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
        case .data(let bytes): writer.element("data", text: bytes.base64)
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
