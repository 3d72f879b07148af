/// What is wrong in a script, and where.
public struct ScriptProblem: Hashable, Sendable, CustomStringConvertible {
    /// The kind of mistake: stable, and a safe metric label. The set may grow: compare with the constants, and expect others.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public var description: String { rawValue }

        /// The text is no JSON.
        public static let json = Code(rawValue: "json")
        /// The `holdfastScript` key is missing, or names a version that this reader does not know.
        public static let version = Code(rawValue: "version")
        /// A key that nothing knows: a misspelt one would silently ask for nothing.
        public static let unknownKey = Code(rawValue: "unknownKey")
        /// A key that must be there is not.
        public static let missingKey = Code(rawValue: "missingKey")
        /// A value of the wrong kind.
        public static let wrongType = Code(rawValue: "wrongType")
        /// A value that there is none of, or that is outside its limits.
        public static let invalidValue = Code(rawValue: "invalidValue")
        /// More steps, actions or bytes than a script may have.
        public static let tooMany = Code(rawValue: "tooMany")
    }

    /// The kind of mistake.
    public var code: Code
    /// One sentence for a person, without the place.
    public var reason: String
    /// Where in the document, like `steps[2].do[0].text`; empty for the document itself.
    public var path: String
    /// The line in the file, from 1.
    public var line: Int
    /// The column in bytes, from 1.
    public var column: Int

    public var description: String {
        "\(line):\(column): \(path.isEmpty ? "" : path + ": ")\(reason)"
    }
}
