/// Why TLS could not be set up on this side.
public struct TLSSetupError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure: stable, and a safe metric label.
    public enum Code: String, Hashable, Sendable {
        /// The name of an application protocol cannot be offered.
        case applicationProtocol
        /// The TLS library refused its configuration.
        case context
    }

    /// The kind of failure.
    public var code: Code
    /// One sentence for a person.
    public var reason: String

    /// Makes an error.
    public init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    public var description: String { reason }
}
