/// A `URLSession` has a delegate that would not be asked about servers: on Linux the native session never does. Nothing was
/// sent.
public struct UnbridgedSessionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Makes the error.
    public init() {}

    public var description: String {
        "This session cannot be used. \(NativeSession.hint)"
    }
}
