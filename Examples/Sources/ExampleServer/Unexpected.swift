/// An error for an unexpected result of an example. Each example checks its own results.
public struct Unexpected: Error, CustomStringConvertible {
    /// What happened.
    public let description: String

    /// Creates an error.
    public init(_ description: String) {
        self.description = description
    }
}
