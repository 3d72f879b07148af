/// An attempt to connect to one address, and the system's error.
public struct DialAttempt: Hashable, Sendable {
    /// The address and port, as text.
    public var address: String
    /// The system's error number, if there is one.
    public var errno: Int32?
    /// A description of the error.
    public var reason: String

    /// Creates a record of an attempt.
    public init(address: String, errno: Int32? = nil, reason: String) {
        self.address = address
        self.errno = errno
        self.reason = reason
    }
}
