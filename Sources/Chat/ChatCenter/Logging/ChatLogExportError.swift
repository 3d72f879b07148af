/// The log could not be exported.
public struct ChatLogExportError: Error, CustomStringConvertible, Sendable {
    /// The kind of failure: stable, and a safe metric label.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// The log level is ``ChatLogLevel/off``: no file is written.
        case loggingIsOff
        /// No line was written yet.
        case nothingLogged
        /// The place is a folder, or a log file itself: nothing there was touched.
        case unusableDestination
        /// A file could not be read or written.
        case files
    }

    /// The kind of failure.
    public var code: Code
    /// One sentence for a person.
    public var reason: String
    /// The error of the file system, where there was one.
    public var underlying: (any Error)?

    init(_ code: Code, _ reason: String, underlying: (any Error)? = nil) {
        self.code = code
        self.reason = reason
        self.underlying = underlying
    }

    public var description: String { "\(code.rawValue): \(reason)" }
}
