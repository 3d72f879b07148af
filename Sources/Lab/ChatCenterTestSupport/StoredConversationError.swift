/// A store that could not be read or written.
public struct StoredConversationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of failure it was: `diskFull`, `corrupt` and the like.
    public let reason: String

    public var description: String { "The stored conversation failed: \(reason)." }
}
