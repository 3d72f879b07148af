/// An error of the store.
public struct StoreFailure: Error, Hashable, Sendable {
    /// The kinds of errors.
    public enum Kind: String, Hashable, Sendable {
        /// The disk is full.
        case diskFull
        /// The file is corrupt.
        case corrupt
        /// The file is encrypted, and the key is missing or wrong.
        case locked
        /// Any other error.
        case other
    }

    /// The kind of the error.
    public var kind: Kind
    /// The number under which the complete error is stored; 0 if there is none.
    public var errorID: UInt64

    /// Creates an error of this kind.
    public init(_ kind: Kind, errorID: UInt64 = 0) {
        self.kind = kind
        self.errorID = errorID
    }
}
