import Foundation

@testable import HoldfastTrust

/// A validator for the keywords of JSON Schema that Holdfast's schema uses. An unknown keyword is an error, so that no
/// part of the schema is ignored.
struct SchemaValidator {
    private let root: JSONNode

    init(_ root: JSONNode) {
        self.root = root
    }

    /// Returns the first error of a value, or `nil` if the value is valid.
    func flaw(of node: JSONNode) -> String? { flaw(node, root, "") }

    private func flaw(_ node: JSONNode, _ schema: JSONNode, _ path: String) -> String? {
        guard case .object(let keywords) = schema.value else { return "the schema is not an object" }
        for keyword in keywords {
            if let flaw = flaw(node, keyword.key, keyword.value, schema, path) { return flaw }
        }
        return nil
    }

    private func flaw(
        _ node: JSONNode, _ keyword: String, _ value: JSONNode, _ schema: JSONNode, _ path: String
    ) -> String? {
        let members = members(node)
        switch (keyword, value.value) {
        case ("$schema", _), ("title", _), ("description", _), ("default", _), ("$defs", _), ("format", _): return nil
        case ("$ref", .string(let name)):
            guard let target = definition(name) else { return "\(name) is missing" }
            return flaw(node, target, path)
        case ("type", .string(let type)): return isOf(type, node) ? nil : "\(path) is not a value of type \(type)"
        case ("const", _): return node.value == value.value ? nil : "\(path) has a different value"
        case ("enum", .array(let values)):
            return values.contains { $0.value == node.value } ? nil : "\(path) is not one of the values"
        case ("anyOf", .array(let options)):
            return options.contains { flaw(node, $0, path) == nil } ? nil : "\(path) matches no option"
        case ("not", _): return flaw(node, value, path) == nil ? "\(path) matches a forbidden schema" : nil
        case ("required", .array(let keys)):
            guard let members else { return nil }
            let missing = keys.first { key in !members.contains { JSONNode.Value.string($0.key) == key.value } }
            return missing.map { "\(path) lacks \($0.value)" }
        case ("properties", _):
            for member in members ?? [] {
                if let inner = self.members(value)?.first(where: { $0.key == member.key }),
                    let flaw = flaw(member.value, inner.value, path + "." + member.key)
                {
                    return flaw
                }
            }
            return nil
        case ("additionalProperties", _):
            let known = Set(
                (self.members(schema)?.first { $0.key == "properties" }).map { self.members($0.value) ?? [] }?.map(
                    \.key) ?? [])
            for member in members ?? [] where !known.contains(member.key) {
                if value.value == .bool(false) { return "\(path) has \(member.key)" }
                if let flaw = flaw(member.value, value, path + "." + member.key) { return flaw }
            }
            return nil
        case ("items", _):
            guard case .array(let elements) = node.value else { return nil }
            for (index, element) in elements.enumerated() {
                if let flaw = flaw(element, value, "\(path)[\(index)]") { return flaw }
            }
            return nil
        case ("minLength", .number(let text)):
            guard case .string(let string) = node.value, let least = Int(text) else { return nil }
            return string.unicodeScalars.count >= least ? nil : "\(path) is too short"
        case ("minimum", .number(let text)), ("maximum", .number(let text)):
            guard case .number(let digits) = node.value, let number = Double(digits), let bound = Double(text) else {
                return nil
            }
            return (keyword == "minimum" ? number >= bound : number <= bound) ? nil : "\(path) is out of range"
        case ("pattern", .string(let pattern)):
            guard case .string(let string) = node.value else { return nil }
            return string.range(of: pattern, options: .regularExpression) != nil
                ? nil : "\(path) does not match the pattern"
        default: return "the schema has the unknown keyword \(keyword)"
        }
    }

    private func members(_ node: JSONNode) -> [JSONNode.Member]? {
        if case .object(let members) = node.value { members } else { nil }
    }

    private func definition(_ name: String) -> JSONNode? {
        var node: JSONNode? = root
        for part in name.split(separator: "/").dropFirst() {
            node = node.flatMap(members)?.first { $0.key == part }?.value
        }
        return node
    }

    private func isOf(_ type: String, _ node: JSONNode) -> Bool {
        switch (type, node.value) {
        case ("object", .object), ("array", .array), ("string", .string), ("boolean", .bool): true
        case ("integer", .number(let text)): Int(text) != nil
        default: false
        }
    }
}
