/// Properties of a `URLSessionConfiguration` are set that Holdfast's transport cannot honour. Every request fails with this;
/// nothing was sent.
public struct UnsupportedConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The properties' names.
    public var properties: [String]

    /// Names the properties.
    public init(properties: [String]) {
        self.properties = properties
    }

    public var description: String {
        "This transport cannot honour what is set: "
            + properties.map { "URLSessionConfiguration.\($0)" }.joined(separator: ", ") + "."
    }
}
