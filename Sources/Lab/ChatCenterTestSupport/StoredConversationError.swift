/// An error for a store that cannot be read or written.
public struct StoredConversationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure, for example `diskFull` or `corrupt`.
    public let reason: String

    /// The error as a sentence.
    public var description: String { "The stored conversation failed: \(reason)." }
}
