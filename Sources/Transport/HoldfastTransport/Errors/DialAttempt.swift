/// One address that was tried, and the system's answer.
public struct DialAttempt: Hashable, Sendable {
    /// The address and port, as text.
    public var address: String
    /// The system's error number, where there is one.
    public var errno: Int32?
    /// The error in words.
    public var reason: String

    /// Notes an attempt.
    public init(address: String, errno: Int32? = nil, reason: String) {
        self.address = address
        self.errno = errno
        self.reason = reason
    }
}
