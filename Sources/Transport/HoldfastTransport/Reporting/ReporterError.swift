/// Why a ``PinFailureReporter`` cannot run.
public struct ReporterError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// Somebody else sends reports from the folder: another process, or another reporter of this one.
        case folderInUse
        /// The folder cannot be used: it is a link, belongs to somebody else, is open to others, or the disk says no.
        case folder
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
