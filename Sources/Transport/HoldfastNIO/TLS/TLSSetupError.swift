/// A failure to set up TLS locally, before any connection.
public struct TLSSetupError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure. Raw values are stable and safe as metric labels. New codes may be added, so handle unknown
    /// ones.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The stable name of the code.
        public let rawValue: String
        /// Makes a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The stable name of the code.
        public var description: String { rawValue }

        /// The name of an application protocol is empty or longer than 255 bytes.
        public static let applicationProtocol = Code(rawValue: "applicationProtocol")
        /// The TLS library rejected its configuration.
        public static let context = Code(rawValue: "context")
    }

    /// The kind of failure.
    public var code: Code
    /// A human-readable description in one sentence.
    public var reason: String

    /// Makes an error from its code and its description.
    public init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    /// The reason.
    public var description: String { reason }
}
