/// A JSON value with its position in the file.
package struct JSONNode: Hashable, Sendable {
    /// The kinds of values.
    package indirect enum Value: Hashable, Sendable {
        case null
        case bool(Bool)
        /// A number as written in the file.
        case number(String)
        case string(String)
        case array([JSONNode])
        /// The members in the order of the file. Keys are unique.
        case object([Member])
    }

    /// A member of an object.
    package struct Member: Hashable, Sendable {
        package var key: String
        package var position: SourcePosition
        package var value: JSONNode
    }

    package var value: Value
    package var position: SourcePosition

    /// The kind of the value in words, for messages.
    package var kind: String {
        switch value {
        case .null: "null"
        case .bool: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

extension JSONNode {
    /// Creates a value that does not come from a file.
    package init(_ value: Value) {
        self.init(value: value, position: .start)
    }
}

extension JSONNode.Value {
    /// Returns a string.
    package static func text(_ string: some CustomStringConvertible) -> JSONNode.Value { .string(string.description) }

    /// Returns an array of values.
    package static func list(_ values: [JSONNode.Value]) -> JSONNode.Value { .array(values.map { JSONNode($0) }) }

    /// Returns an object with members in the given order. `nil` values are omitted.
    package static func fields(_ pairs: [(String, JSONNode.Value?)]) -> JSONNode.Value {
        .object(
            pairs.compactMap { key, value in
                value.map { JSONNode.Member(key: key, position: .start, value: JSONNode($0)) }
            })
    }
}
