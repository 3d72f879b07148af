/// A regular expression of a ``RequestPattern`` cannot be used.
public struct RequestPatternError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Which of the pattern's two expressions it is.
    public enum Part: String, Hashable, Sendable {
        case host
        case path
    }

    /// Which of the two it is.
    public var part: Part
    /// The expression as it was given.
    public var expression: String

    /// Makes the error.
    public init(part: Part, expression: String) {
        self.part = part
        self.expression = expression
    }

    public var description: String { "The pattern for the \(part.rawValue) is no regular expression: \(expression)" }
}
