/// What is wrong in a script, and where.
public struct ScriptProblem: Hashable, Sendable, CustomStringConvertible {
    /// The kind of mistake: stable, and a safe metric label.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// The text is no JSON.
        case json
        /// The `holdfastScript` key is missing, or names a version that this reader does not know.
        case version
        /// A key that nothing knows: a misspelt one would silently ask for nothing.
        case unknownKey
        /// A key that must be there is not.
        case missingKey
        /// A value of the wrong kind.
        case wrongType
        /// A value that there is none of, or that is outside its limits.
        case invalidValue
        /// More steps, actions or bytes than a script may have.
        case tooMany
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
