/// The chat's store cannot be used: its key or its place is wrong, or its contents were changed.
public struct ChatStorageError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure: stable, and a safe metric label.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// The bytes are not a valid key.
        case unusableKey
        /// The store is sealed, and ``ChatConfig/storageKey`` is not set.
        case keyMissing
        /// The store is sealed with another key.
        case wrongKey
        /// The store is in the clear, there is a key, and ``ChatConfig/sealsExistingStore`` is `false`.
        case notSealed
        /// The store's place is a link, belongs to another user, or can be changed by other users. Nothing is read or written
        /// there.
        case unprotected
        /// A row or a file is not what was written at its place: it was changed, moved or damaged.
        case tampered
    }

    /// The kind of failure.
    public var code: Code
    /// One sentence for a person. Holds no key and nothing of what is kept.
    public var reason: String

    /// Describes a failure.
    public init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    public var description: String { "\(code.rawValue): \(reason)" }
}
