/// Why TLS could not be set up on this side.
public struct TLSSetupError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure: stable, and a safe metric label. The set may grow: compare with the constants, and expect others.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public var description: String { rawValue }

        /// The name of an application protocol cannot be offered.
        public static let applicationProtocol = Code(rawValue: "applicationProtocol")
        /// The TLS library refused its configuration.
        public static let context = Code(rawValue: "context")
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
