/// The reason why a ``PinFailureReporter`` cannot run.
public struct ReporterError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The stable name of a kind of failure, safe as a metric label.
    ///
    /// The set may grow, so handle unknown values when comparing with the constants.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The stable name.
        public let rawValue: String
        /// Creates a value from its stable name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The stable name.
        public var description: String { rawValue }

        /// Another process, or another reporter in this process, already sends reports from the folder.
        public static let folderInUse = Code(rawValue: "folderInUse")
        /// The folder cannot be used: it is a link, belongs to another user, is accessible to others, or a file
        /// operation failed.
        public static let folder = Code(rawValue: "folder")
    }

    /// The kind of failure.
    public var code: Code
    /// A human-readable sentence.
    public var reason: String

    /// Creates an error.
    public init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    /// The code and the reason.
    public var description: String { "\(code.rawValue): \(reason)" }
}
