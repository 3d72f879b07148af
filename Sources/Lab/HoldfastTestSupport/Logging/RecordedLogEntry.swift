public import Logging

/// One line that was logged.
public struct RecordedLogEntry: Sendable {
    public var level: Logger.Level
    public var message: String
    /// The logger's and the line's own metadata, the latter winning.
    public var metadata: Logger.Metadata
    /// The text of the error that was logged with it.
    public var error: String?

    /// Message, error and all metadata values as one text, to look for secrets in.
    public var text: String {
        ([message, error ?? ""] + metadata.map { "\($0.key)=\($0.value)" }.sorted()).joined(separator: " ")
    }
}
