import HoldfastTrust

/// A JSON object in an answer.
struct JSONObject {
    private let members: [String: JSONNode.Value]

    init(_ bytes: [UInt8]) throws {
        try self.init(JSONReader.read(bytes).value)
    }

    init(_ value: JSONNode.Value) throws {
        guard case .object(let members) = value else { throw NoObject() }
        self.members = Dictionary(members.map { ($0.key, $0.value.value) }) { first, _ in first }
    }

    struct NoObject: Error {}

    var keys: Set<String> { Set(members.keys) }

    subscript(key: String) -> JSONNode.Value? { members[key] }

    /// Returns the elements of a list of objects.
    func list(_ key: String) throws -> [JSONObject] {
        guard case .array(let elements) = members[key] else { throw NoObject() }
        return try elements.map { try JSONObject($0.value) }
    }
}

extension JSONNode.Value {
    var text: String? { if case .string(let text) = self { text } else { nil } }
    var number: Int? { if case .number(let digits) = self { Int(digits) } else { nil } }
}
