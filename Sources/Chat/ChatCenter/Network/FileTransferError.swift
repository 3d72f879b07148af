/// A file could not be read, written or taken.
public struct FileTransferError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure: stable, and a safe metric label.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// The local file cannot be read.
        case unreadable
        /// The local copy cannot be written.
        case unwritable
        /// The server sends more than a download may have, or takes no file of this size.
        case tooLarge
        /// The file's address cannot be used.
        case invalidAddress
        /// The server has the whole file, and its answer, with the file's name there, was lost.
        case answerLost
    }

    /// The kind of failure.
    public var code: Code
    /// One sentence for a person.
    public var reason: String

    /// Describes a failure.
    public init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    public var description: String { reason }
}
