/// A problem in a script, with its position.
public struct ScriptProblem: Hashable, Sendable, CustomStringConvertible {
    /// The kind of problem. Stable, and safe as a metric label. New kinds may be added: compare with the constants, and
    /// handle unknown kinds.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The stable name.
        public let rawValue: String
        /// Creates a code from its stable name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The stable name.
        public var description: String { rawValue }

        /// The text is not valid JSON.
        public static let json = Code(rawValue: "json")
        /// The `holdfastScript` key is missing, or names an unsupported version.
        public static let version = Code(rawValue: "version")
        /// A key is unknown. A misspelled key would otherwise silently have no effect.
        public static let unknownKey = Code(rawValue: "unknownKey")
        /// A required key is missing.
        public static let missingKey = Code(rawValue: "missingKey")
        /// A value has the wrong type.
        public static let wrongType = Code(rawValue: "wrongType")
        /// A value is not one of the allowed values, or is outside its limits.
        public static let invalidValue = Code(rawValue: "invalidValue")
        /// The script exceeds the limit for steps, actions or bytes.
        public static let tooMany = Code(rawValue: "tooMany")
    }

    /// The kind of problem.
    public var code: Code
    /// A description in one sentence, without the position.
    public var reason: String
    /// The path in the document, such as `steps[2].do[0].text`; empty for the document itself.
    public var path: String
    /// The line in the file, counted from 1.
    public var line: Int
    /// The column in bytes, counted from 1.
    public var column: Int

    /// The position, the path and the reason.
    public var description: String {
        "\(line):\(column): \(path.isEmpty ? "" : path + ": ")\(reason)"
    }
}
