/// Why the store could not do what it was asked.
public struct StoreFailure: Error, Hashable, Sendable {
    /// What went wrong.
    public enum Kind: String, Hashable, Sendable {
        /// There is no room.
        case diskFull
        /// The file is not what it was.
        case corrupt
        /// It is sealed, and the key is missing or another one.
        case locked
        /// Anything else.
        case other
    }

    /// What went wrong.
    public var kind: Kind
    /// The number under which the whole error can be looked up; 0 when there is none.
    public var errorID: UInt64

    /// A failure of this kind.
    public init(_ kind: Kind, errorID: UInt64 = 0) {
        self.kind = kind
        self.errorID = errorID
    }
}
