/// A property of a `URLRequest` is set that Holdfast's transport cannot honour.
public struct UnsupportedRequestError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The property's name.
    public var property: String

    /// Names the property.
    public init(property: String) {
        self.property = property
    }

    public var description: String { "URLRequest.\(property) cannot be honoured by this transport." }
}
