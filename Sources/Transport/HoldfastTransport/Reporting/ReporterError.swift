/// Why a ``PinFailureReporter`` cannot run.
public struct ReporterError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure: stable, and a safe metric label. The set may grow: compare with the constants, and expect others.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public var description: String { rawValue }

        /// Somebody else sends reports from the folder: another process, or another reporter of this one.
        public static let folderInUse = Code(rawValue: "folderInUse")
        /// The folder cannot be used: it is a link, belongs to somebody else, is open to others, or the disk says no.
        public static let folder = Code(rawValue: "folder")
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

    public var description: String { "\(code.rawValue): \(reason)" }
}
