/// An example checks itself: it ends with an error if something did not come out as it must.
public struct Unexpected: Error, CustomStringConvertible {
    /// What happened.
    public let description: String

    /// Makes an error.
    public init(_ description: String) {
        self.description = description
    }
}
