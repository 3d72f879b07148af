/// Why the store could not do what it was asked.
public struct StoreFailure: Error, Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable {
        case diskFull
        case corrupt
        case other
    }

    public var kind: Kind
    /// The number under which the whole error can be looked up; 0 when there is none.
    public var errorID: UInt64

    public init(_ kind: Kind, errorID: UInt64 = 0) {
        self.kind = kind
        self.errorID = errorID
    }
}
