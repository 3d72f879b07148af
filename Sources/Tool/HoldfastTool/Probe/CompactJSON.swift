import HoldfastTrust

/// JSON on one line, for streams of which a reader takes line by line.
enum CompactJSON {
    /// The text of a value, without a line break.
    static func text(_ value: JSONNode.Value) -> String {
        switch value {
        case .null: "null"
        case .bool(let flag): flag ? "true" : "false"
        case .number(let digits): digits
        case .string(let string): JSONWriter.quoted(string)
        case .array(let elements): "[" + elements.map { text($0.value) }.joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.map { JSONWriter.quoted($0.key) + ":" + text($0.value.value) }.joined(separator: ",") + "}"
        }
    }
}
