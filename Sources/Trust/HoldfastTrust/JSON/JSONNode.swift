/// A JSON value that knows where it stands in its file.
package struct JSONNode: Hashable, Sendable {
    /// What it is.
    package indirect enum Value: Hashable, Sendable {
        case null
        case bool(Bool)
        /// A number, as it is written.
        case number(String)
        case string(String)
        case array([JSONNode])
        /// The members in the order of the file; no key occurs twice.
        case object([Member])
    }

    /// One member of an object.
    package struct Member: Hashable, Sendable {
        package var key: String
        package var position: SourcePosition
        package var value: JSONNode
    }

    package var value: Value
    package var position: SourcePosition

    /// What it is, in words.
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
    /// A value that was never in a file.
    package init(_ value: Value) {
        self.init(value: value, position: .start)
    }
}

extension JSONNode.Value {
    /// A string.
    package static func text(_ string: some CustomStringConvertible) -> JSONNode.Value { .string(string.description) }

    /// An array of values.
    package static func list(_ values: [JSONNode.Value]) -> JSONNode.Value { .array(values.map { JSONNode($0) }) }

    /// An object of values, in this order; `nil` ones are left out.
    package static func fields(_ pairs: [(String, JSONNode.Value?)]) -> JSONNode.Value {
        .object(
            pairs.compactMap { key, value in
                value.map { JSONNode.Member(key: key, position: .start, value: JSONNode($0)) }
            })
    }
}
